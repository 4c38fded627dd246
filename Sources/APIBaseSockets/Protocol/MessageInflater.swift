import HTTPTransport

/// Decompresses messages, each with reference to those before it (RFC 7692, section 7.2.2).
final class MessageInflater {
    private let zlib = Zlib.shared
    private let stream = UnsafeMutablePointer<ZlibStream>.allocate(capacity: 1)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 1)

    /// Creates one for a window of 2 to this power bytes, which is 8 to 15.
    init(window: Int) {
        stream.initialize(to: ZlibStream())
        _ = zlib?.startGunzip(stream, .bare(window: window))
    }

    deinit {
        zlib?.endGunzip(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Whether the bytes so far are a whole message, with the end that its sender leaves out.
    var isWhole: Bool { stream.pointee.isBetweenBlocks }

    /// Decompresses less than 4 GiB, and passes on what comes of it in pieces of at most 16 KiB.
    func run(
        _ bytes: UnsafeRawBufferPointer,
        _ use: (UnsafeRawBufferPointer) throws(SocketViolation) -> Void
    ) throws(SocketViolation) {
        var (rest, room) = (bytes, 0)
        while room == 0 || !rest.isEmpty {
            stream.pointee.use(rest, output)
            let progress = zlib?.runGunzip(stream) ?? .failed
            room = Int(stream.pointee.outputCount)
            if room < output.count { try use(UnsafeRawBufferPointer(rebasing: output.dropLast(room))) }
            rest = UnsafeRawBufferPointer(rebasing: rest.suffix(Int(stream.pointee.inputCount)))
            try require(progress != .failed, "bytes of DEFLATE", received: "others", or: .invalidPayload)
            // This block says that it is the last, but others may follow and refer to it (section 7.2.3.5).
            if progress == .done { zlib?.resetGunzip(stream, keepsWindow: true) }
        }
    }

    /// Forgets the messages so far.
    func reset() { zlib?.resetGunzip(stream, keepsWindow: false) }
}
