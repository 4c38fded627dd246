import Foundation

/// The bytes of several bodies, one after another. Each is opened when it is its turn, so that one file is open at a time.
final class JoinedStream: InputStream {
    private var bodies: ArraySlice<HTTPBody>
    private var current: InputStream?
    private var status = Status.notOpen
    private var failure: (any Error)?

    init(_ bodies: [HTTPBody]) {
        self.bodies = bodies[...]
        super.init(data: Data())
    }

    override var streamStatus: Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { status == .open && current?.hasBytesAvailable ?? !bodies.isEmpty }

    override func open() { status = .open }

    override func close() {
        leave()
        status = .closed
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        while status == .open {
            do {
                guard let stream = try current ?? next() else { break }
                let count = stream.read(buffer, maxLength: length)
                if count > 0 { return count }
                guard count == 0 else { throw stream.streamError ?? InvalidRequest(.body, .unreadableStream) }
                leave()
            } catch {
                failure = error
                status = .error
                return -1
            }
        }
        if status == .open { status = .atEnd }
        return status == .atEnd ? 0 : -1
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    private func next() throws -> InputStream? {
        guard let body = bodies.popFirst() else { return nil }
        let stream = try body.makeStream()
        stream.open()
        current = stream
        return stream
    }

    private func leave() {
        current?.close()
        current = nil
    }
}
