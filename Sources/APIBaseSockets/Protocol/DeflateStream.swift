import HTTPTransport

/// Compresses or decompresses messages, each with reference to those before it (RFC 7692, section 7.2).
final class DeflateStream {
    typealias Use = (UnsafeRawBufferPointer) throws(SocketViolation) -> Void

    private let zlib = Zlib.shared
    private let compresses: Bool
    private let stream = UnsafeMutablePointer<ZlibStream>.allocate(capacity: 1)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 1)

    /// Creates one with a window of 2 to this power bytes, 8 to 15. To compress takes up to 150 KiB of memory.
    init(compresses: Bool, window: Int) {
        self.compresses = compresses
        stream.initialize(to: ZlibStream())
        if compresses {
            // zlib compresses with 9 at least. It then refers to the last 250 bytes only, which a window of 8 holds.
            _ = zlib?.startGzip(stream, .bare(window: max(9, window)), memory: 5)
        } else {
            _ = zlib?.startGunzip(stream, .bare(window: window))
        }
    }

    deinit {
        if compresses { zlib?.endGzip(stream) } else { zlib?.endGunzip(stream) }
        stream.deallocate()
        output.deallocate()
    }

    /// Whether what has been decompressed ends where a message can.
    var isBetweenBlocks: Bool { stream.pointee.isBetweenBlocks }

    /// Takes less than 4 GiB, and passes on all that comes of it, in pieces of at most 16 KiB.
    func run(_ bytes: UnsafeRawBufferPointer, _ use: Use) throws(SocketViolation) {
        var (rest, room) = (bytes, 0)
        while room == 0 || !rest.isEmpty {
            stream.pointee.use(rest, output)
            let progress = (compresses ? zlib?.flush(stream) : zlib?.runGunzip(stream)) ?? .failed
            room = Int(stream.pointee.outputCount)
            if room < output.count { try use(UnsafeRawBufferPointer(rebasing: output.dropLast(room))) }
            rest = UnsafeRawBufferPointer(rebasing: rest.suffix(Int(stream.pointee.inputCount)))
            try require(progress != .failed, "bytes of DEFLATE", "others", or: .invalidPayload)
            // This block says that it is the last, but others may follow and refer to it (section 7.2.3.5).
            if progress == .done { zlib?.resetGunzip(stream, keepsWindow: true) }
        }
    }

    /// Forgets the messages so far.
    func reset() {
        if compresses { zlib?.resetGzip(stream) } else { zlib?.resetGunzip(stream, keepsWindow: false) }
    }
}
