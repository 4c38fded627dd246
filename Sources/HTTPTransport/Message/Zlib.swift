import Foundation

/// The functions of zlib, which are found at run time: in all systems of Apple, and most distributions of Linux.
struct Zlib: Sendable {
    static let shared = Zlib()

    /// The outcome of a step of the work.
    enum Progress { case more, done, failed }

    private typealias Start =
        @convention(c) @Sendable (
            UnsafeMutableRawPointer, CInt, CInt, CInt, CInt, CInt, UnsafePointer<CChar>, CInt
        ) -> CInt
    private typealias StartInflate =
        @convention(c) @Sendable (UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt) -> CInt
    private typealias Run = @convention(c) @Sendable (UnsafeMutableRawPointer, CInt) -> CInt
    private typealias End = @convention(c) @Sendable (UnsafeMutableRawPointer) -> CInt

    private let startDeflate: Start
    private let deflate: Run
    private let deflateEnd: End
    private let startInflate: StartInflate
    private let inflate: Run
    private let inflateEnd: End

    private init?() {
        guard let library = dlopen(nameOfZlib, RTLD_NOW | RTLD_LOCAL),
            let startDeflate = dlsym(library, "deflateInit2_"), let deflate = dlsym(library, "deflate"),
            let deflateEnd = dlsym(library, "deflateEnd"), let startInflate = dlsym(library, "inflateInit2_"),
            let inflate = dlsym(library, "inflate"), let inflateEnd = dlsym(library, "inflateEnd")
        else { return nil }
        // The types are those of zlib.h, unchanged since 1.2.
        self.startDeflate = unsafeBitCast(startDeflate, to: Start.self)
        self.deflate = unsafeBitCast(deflate, to: Run.self)
        self.deflateEnd = unsafeBitCast(deflateEnd, to: End.self)
        self.startInflate = unsafeBitCast(startInflate, to: StartInflate.self)
        self.inflate = unsafeBitCast(inflate, to: Run.self)
        self.inflateEnd = unsafeBitCast(inflateEnd, to: End.self)
    }

    /// The format around the compressed bytes, each with a window of 32 KiB.
    enum Format: CInt {
        case gzip = 31
        case zlib = 15
        case bare = -15
    }

    private static let size = CInt(MemoryLayout<ZlibStream>.size)
    private static let version = "1.2.11"

    /// Starts to compress, with the usual level and memory.
    func startGzip(_ stream: UnsafeMutablePointer<ZlibStream>) -> Bool {
        startDeflate(stream, -1, 8, Format.gzip.rawValue, 8, 0, Self.version, Self.size) == 0
    }

    /// Compresses, to the end if the input is the last.
    func run(_ stream: UnsafeMutablePointer<ZlibStream>, isLast: Bool) -> Progress {
        Self.progress(deflate(stream, isLast ? 4 : 0))
    }

    func endGzip(_ stream: UnsafeMutablePointer<ZlibStream>) { _ = deflateEnd(stream) }

    /// Starts to decompress.
    func startGunzip(_ stream: UnsafeMutablePointer<ZlibStream>, _ format: Format) -> Bool {
        startInflate(stream, format.rawValue, Self.version, Self.size) == 0
    }

    func runGunzip(_ stream: UnsafeMutablePointer<ZlibStream>) -> Progress { Self.progress(inflate(stream, 0)) }

    func endGunzip(_ stream: UnsafeMutablePointer<ZlibStream>) { _ = inflateEnd(stream) }

    /// Z_STREAM_END is the end, Z_OK and Z_BUF_ERROR ask for input or room.
    private static func progress(_ result: CInt) -> Progress {
        result == 1 ? .done : [0, -5].contains(result) ? .more : .failed
    }
}

/// zlib's `z_stream`. Swift lays its members out as C does, and zlib checks the size.
struct ZlibStream {
    var input: UnsafeRawPointer?
    var inputCount: CUnsignedInt = 0
    var totalInput: CUnsignedLong = 0
    var output: UnsafeMutableRawPointer?
    var outputCount: CUnsignedInt = 0
    var totalOutput: CUnsignedLong = 0
    var message: UnsafePointer<CChar>?
    var state: OpaquePointer?
    var allocate: OpaquePointer?
    var release: OpaquePointer?
    var opaque: OpaquePointer?
    var dataType: CInt = 0
    var checksum: CUnsignedLong = 0
    var reserved: CUnsignedLong = 0

    /// Sets the next input, and the room for output, each of fewer than 4 GiB.
    mutating func use(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
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
