import Basics
import Foundation

/// The bytes of several bodies in a row. One file at most is open at a time.
final class JoinedStream: InterruptibleStream {
    private struct Current {
        var stream: InputStream?
        var isInterrupted = false
    }

    private var bodies: ArraySlice<HTTPBody>
    /// Locked, because another thread may interrupt it.
    private let current = Locked(Current())
    /// The length of the current body, nil if it is not known, and the number of bytes read from it.
    private var expected: Int64?
    private var taken: Int64 = 0

    init(_ bodies: [HTTPBody]) {
        self.bodies = bodies[...]
        super.init(data: Data())
    }

    override var hasBytesAvailable: Bool { status == .open && stream?.hasBytesAvailable ?? !bodies.isEmpty }

    override func open() { status = .open }

    override func close() {
        leave()
        status = .closed
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        while status == .open {
            do throws(EngineFailure) {
                guard let stream = stream == nil ? try next() : stream else { break }
                let count = stream.read(buffer, maxLength: length)
                guard count >= 0 else { throw EngineFailure(of: stream) }
                taken += Int64(count)
                if let expected, count == 0 ? taken != expected : taken > expected {
                    throw EngineFailure(reason: .bodyLength(declared: expected, actual: taken))
                }
                if count > 0 { return count }
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

    private func next() throws(EngineFailure) -> InputStream? {
        guard let body = bodies.popFirst() else { return nil }
        (expected, taken) = (body.count, 0)
        let stream = try body.makeStream()
        stream.open()
        let isInterrupted = current.withLockUnchecked { current in
            current.stream = stream
            return current.isInterrupted
        }
        if isInterrupted { stream.interruptRead() }
        return stream
    }

    private func leave() {
        stream?.close()
        current.withLock { $0.stream = nil }
    }

    private var stream: InputStream? { current.withLockUnchecked { $0.stream } }

    override func interrupt() {
        let stream = current.withLockUnchecked { current in
            current.isInterrupted = true
            return current.stream
        }
        stream?.interruptRead()
    }
}
