import Foundation

/// The functions of zlib, which are found at run time: in all systems of Apple, and most distributions of Linux.
package struct Zlib: Sendable {
    /// The functions; `nil` on a system without zlib.
    package static let shared = Zlib()

    /// The outcome of a step of the work.
    package enum Progress { case more, done, failed }

    private typealias Start =
        @convention(c) @Sendable (
            UnsafeMutableRawPointer, CInt, CInt, CInt, CInt, CInt, UnsafePointer<CChar>, CInt
        ) -> CInt
    private typealias StartInflate =
        @convention(c) @Sendable (UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt) -> CInt
    private typealias Run = @convention(c) @Sendable (UnsafeMutableRawPointer, CInt) -> CInt
    private typealias Other = @convention(c) @Sendable (UnsafeMutableRawPointer) -> CInt

    private let startDeflate: Start
    private let deflate: Run
    private let resetDeflate: Other
    private let endDeflate: Other
    private let startInflate: StartInflate
    private let inflate: Run
    private let resetInflate: Other
    private let resetInflateKeepingWindow: Other
    private let endInflate: Other

    private init?() {
        guard let library = dlopen(nameOfZlib, RTLD_NOW | RTLD_LOCAL),
            let startDeflate = dlsym(library, "deflateInit2_"), let deflate = dlsym(library, "deflate"),
            let resetDeflate = dlsym(library, "deflateReset"), let endDeflate = dlsym(library, "deflateEnd"),
            let startInflate = dlsym(library, "inflateInit2_"), let inflate = dlsym(library, "inflate"),
            let resetInflate = dlsym(library, "inflateReset"), let endInflate = dlsym(library, "inflateEnd")
        else { return nil }
        // The types are those of zlib.h, unchanged since 1.2.
        self.startDeflate = unsafeBitCast(startDeflate, to: Start.self)
        self.deflate = unsafeBitCast(deflate, to: Run.self)
        self.resetDeflate = unsafeBitCast(resetDeflate, to: Other.self)
        self.endDeflate = unsafeBitCast(endDeflate, to: Other.self)
        self.startInflate = unsafeBitCast(startInflate, to: StartInflate.self)
        self.inflate = unsafeBitCast(inflate, to: Run.self)
        self.resetInflate = unsafeBitCast(resetInflate, to: Other.self)
        resetInflateKeepingWindow = unsafeBitCast(
            dlsym(library, "inflateResetKeep") ?? resetInflate,
            to: Other.self
        )
        self.endInflate = unsafeBitCast(endInflate, to: Other.self)
    }

    /// The format around the compressed bytes, and the window: 2 to this power bytes, 32 KiB unless it says otherwise.
    package struct Format: Sendable {
        fileprivate let bits: CInt

        static let gzip = Format(bits: 31)
        static let zlib = Format(bits: 15)
        static let bare = bare(window: 15)

        /// No format around them. A window of 8 can only be decompressed.
        package static func bare(window: Int) -> Format { Format(bits: -CInt(window)) }
    }

    private static let size = CInt(MemoryLayout<ZlibStream>.size)
    private static let version = "1.2.11"

    /// Starts to compress, with the usual level, and memory for 2 to the power of 9 + `memory` bytes besides the window.
    package func startGzip(
        _ stream: UnsafeMutablePointer<ZlibStream>,
        _ format: Format = .gzip,
        memory: CInt = 8
    ) -> Bool {
        startDeflate(stream, -1, 8, format.bits, memory, 0, Self.version, Self.size) == 0
    }

    /// Compresses, to the end if the input is the last.
    func run(_ stream: UnsafeMutablePointer<ZlibStream>, isLast: Bool) -> Progress {
        Self.progress(deflate(stream, isLast ? 4 : 0))
    }

    /// Compresses all input up to the border of a byte, with an empty block at the end (Z_SYNC_FLUSH).
    package func flush(_ stream: UnsafeMutablePointer<ZlibStream>) -> Progress { Self.progress(deflate(stream, 2)) }

    /// Forgets what has been compressed, as after the start.
    package func resetGzip(_ stream: UnsafeMutablePointer<ZlibStream>) { _ = resetDeflate(stream) }

    /// Releases what compressing took.
    package func endGzip(_ stream: UnsafeMutablePointer<ZlibStream>) { _ = endDeflate(stream) }

    /// Starts to decompress.
    package func startGunzip(_ stream: UnsafeMutablePointer<ZlibStream>, _ format: Format) -> Bool {
        startInflate(stream, format.bits, Self.version, Self.size) == 0
    }

    /// Decompresses until the input is used up or the output is full.
    package func runGunzip(_ stream: UnsafeMutablePointer<ZlibStream>) -> Progress {
        Self.progress(inflate(stream, 0))
    }

    /// Begins anew after the end, or earlier; the next bytes may refer to those before only if the window is kept.
    package func resetGunzip(_ stream: UnsafeMutablePointer<ZlibStream>, keepsWindow: Bool) {
        _ = keepsWindow ? resetInflateKeepingWindow(stream) : resetInflate(stream)
    }

    /// Releases what decompressing took.
    package func endGunzip(_ stream: UnsafeMutablePointer<ZlibStream>) { _ = endInflate(stream) }

    /// Z_STREAM_END is the end, Z_OK and Z_BUF_ERROR ask for input or room.
    private static func progress(_ result: CInt) -> Progress {
        result == 1 ? .done : [0, -5].contains(result) ? .more : .failed
    }
}

/// zlib's `z_stream`. Swift lays its members out as C does, and zlib checks the size.
package struct ZlibStream {
    private var input: UnsafeRawPointer?
    /// The number of input bytes not used yet.
    package private(set) var inputCount: CUnsignedInt = 0
    private var totalInput: CUnsignedLong = 0
    private var output: UnsafeMutableRawPointer?
    /// The room for output that is left, in bytes.
    package private(set) var outputCount: CUnsignedInt = 0
    private var totalOutput: CUnsignedLong = 0
    private var message: UnsafePointer<CChar>?
    private var state: OpaquePointer?
    private var allocate: OpaquePointer?
    private var release: OpaquePointer?
    private var opaque: OpaquePointer?
    private var dataType: CInt = 0
    private var checksum: CUnsignedLong = 0
    private var reserved: CUnsignedLong = 0

    /// Nothing started.
    package init() {}

    /// Whether decompression has just ended a block at the border of a byte.
    package var isBetweenBlocks: Bool { dataType & 0xFF == 128 }

    /// Sets the next input, and the room for output, each of fewer than 4 GiB.
    package mutating func use(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
        (self.input, inputCount) = (input.baseAddress, CUnsignedInt(clamping: input.count))
        (self.output, outputCount) = (output.baseAddress, CUnsignedInt(clamping: output.count))
    }
}

#if canImport(Darwin)
private let nameOfZlib = "/usr/lib/libz.1.dylib"
#elseif os(Android)
private let nameOfZlib = "libz.so"
#else
private let nameOfZlib = "libz.so.1"
#endif
