import Foundation

/// Compresses bytes in the format of gzip (RFC 1952), by zlib.
final class GzipEncoder {
    struct OutOfMemory: Error {}

    /// Whether the system has zlib.
    static var isAvailable: Bool { Zlib.shared != nil }

    private let zlib: Zlib
    private let stream = UnsafeMutablePointer<ZlibStream>.allocate(capacity: 1)

    init() throws(OutOfMemory) {
        guard let zlib = Zlib.shared else { throw OutOfMemory() }
        self.zlib = zlib
        stream.initialize(to: ZlibStream())
        guard zlib.startGzip(stream) else { throw OutOfMemory() }
    }

    deinit {
        zlib.endGzip(stream)
        stream.deallocate()
    }

    /// Compresses until the input is used up or the output is full.
    ///
    /// - Parameters:
    ///   - input: The next bytes, fewer than 4 GiB.
    ///   - isLast: Whether no others follow.
    ///   - output: The place for the compressed bytes.
    /// - Returns: The number of bytes used and made, and whether all has been compressed.
    func run(
        _ input: UnsafeRawBufferPointer,
        isLast: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) -> (used: Int, made: Int, isDone: Bool) {
        stream.pointee.use(input, output)
        let isDone = zlib.run(stream, isLast: isLast) == .done
        let (inputLeft, outputLeft) = (stream.pointee.inputCount, stream.pointee.outputCount)
        return (input.count - Int(inputLeft), output.count - Int(outputLeft), isDone)
    }

    /// All of these bytes, compressed.
    static func compress(_ data: Data) throws(OutOfMemory) -> Data {
        let encoder = try GzipEncoder()
        var (result, buffer, rest) = (Data(), [UInt8](repeating: 0, count: 64 << 10), data)
        while true {
            let portion = rest.prefix(1 << 20)
            let (used, made, isDone) = portion.withUnsafeBytes { input in
                buffer.withUnsafeMutableBytes { encoder.run(input, isLast: portion.count == rest.count, into: $0) }
            }
            result.append(contentsOf: buffer[..<made])
            rest = rest.dropFirst(used)
            if isDone { return result }
        }
    }
}
