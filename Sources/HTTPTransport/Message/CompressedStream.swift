import Foundation

/// The bytes of a body, compressed as they are read.
final class CompressedStream: InterruptibleStream {
    private let source: JoinedStream
    private let encoder: GzipEncoder
    private var input = [UInt8](repeating: 0, count: 64 << 10)
    /// The part of the input that has not been compressed.
    private var rest = 0..<0
    private var isLast = false
    private var isDone = false

    init(_ body: HTTPBody) throws(EngineFailure) {
        source = JoinedStream([body])
        do throws(GzipEncoder.OutOfMemory) {
            encoder = try GzipEncoder()
        } catch {
            throw EngineFailure(unreadable: .unreadableStream, underlying: error)
        }
        super.init(data: Data())
    }

    override var hasBytesAvailable: Bool { status == .open && (isLast || !rest.isEmpty || source.hasBytesAvailable) }

    override func open() {
        source.open()
        status = .open
    }

    override func close() {
        source.close()
        status = .closed
    }

    override func interrupt() { source.interrupt() }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        while status == .open, !isDone {
            if rest.isEmpty, !isLast { fill() }
            guard status == .open else { break }
            let output = UnsafeMutableRawBufferPointer(start: buffer, count: length)
            let run = input.withUnsafeBytes { bytes in
                encoder.run(UnsafeRawBufferPointer(rebasing: bytes[rest]), isLast: isLast, into: output)
            }
            rest = (rest.lowerBound + run.used)..<rest.upperBound
            isDone = run.isDone
            if run.made > 0 { return run.made }
        }
        if status == .open { status = .atEnd }
        return status == .atEnd ? 0 : -1
    }

    private func fill() {
        let count = source.read(&input, maxLength: input.count)
        if count < 0 { (failure, status) = (EngineFailure(of: source), .error) }
        isLast = count == 0
        rest = 0..<max(0, count)
    }
}
