import HTTPTransport

/// Compresses messages, each with reference to those before it (RFC 7692, section 7.2.1).
final class MessageDeflater {
    private let zlib = Zlib.shared
    private let stream = UnsafeMutablePointer<ZlibStream>.allocate(capacity: 1)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 10, alignment: 1)

    /// Creates one for a window of 2 to this power bytes, which is 8 to 15. It takes up to 150 KiB of memory.
    init(window: Int) {
        stream.initialize(to: ZlibStream())
        // zlib has no 8 here. With 9, it refers to the last 250 bytes only, which a window of 8 holds.
        _ = zlib?.startGzip(stream, .bare(window: max(9, window)), memory: 5)
    }

    deinit {
        zlib?.endGzip(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Compresses 1 byte to 4 GiB. The end that all messages have is left out; `nil` without memory.
    func compress(_ message: UnsafeRawBufferPointer, keepsContext: Bool) -> [UInt8]? {
        var (compressed, rest, isFull): ([UInt8], _, _) = ([], message, true)
        while isFull {
            stream.pointee.use(rest, output)
            guard let progress = zlib?.flush(stream), progress != .failed else { return nil }
            let room = Int(stream.pointee.outputCount)
            compressed.append(contentsOf: output.dropLast(room))
            rest = UnsafeRawBufferPointer(rebasing: rest.suffix(Int(stream.pointee.inputCount)))
            isFull = room == 0
        }
        compressed.removeLast(4)
        if !keepsContext { zlib?.resetGzip(stream) }
        return compressed
    }
}
