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
        guard zlib.startsGzip(stream) else { throw OutOfMemory() }
    }

    deinit {
        zlib.end(stream)
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
        stream.pointee.input = input.baseAddress
        stream.pointee.inputCount = UInt32(clamping: input.count)
        stream.pointee.output = output.baseAddress
        stream.pointee.outputCount = UInt32(clamping: output.count)
        let isDone = zlib.run(stream, isLast)
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

/// The functions of zlib, which are found at run time: in all systems of Apple, and most distributions of Linux.
private struct Zlib: Sendable {
    static let shared = Zlib()

    private typealias Start =
        @convention(c) @Sendable (
            UnsafeMutableRawPointer, CInt, CInt, CInt, CInt, CInt, UnsafePointer<CChar>, CInt
        ) -> CInt
    private typealias Run = @convention(c) @Sendable (UnsafeMutableRawPointer, CInt) -> CInt
    private typealias End = @convention(c) @Sendable (UnsafeMutableRawPointer) -> CInt

    private let start: Start
    private let deflate: Run
    private let deflateEnd: End

    private init?() {
        guard let library = dlopen(nameOfZlib, RTLD_NOW | RTLD_LOCAL), let start = dlsym(library, "deflateInit2_"),
            let deflate = dlsym(library, "deflate"), let end = dlsym(library, "deflateEnd")
        else { return nil }
        // The types are those of zlib.h, unchanged since 1.2.
        self.start = unsafeBitCast(start, to: Start.self)
        self.deflate = unsafeBitCast(deflate, to: Run.self)
        deflateEnd = unsafeBitCast(end, to: End.self)
    }

    /// Starts with the usual level and memory, a window of 32 KiB, and the format of gzip (16).
    func startsGzip(_ stream: UnsafeMutablePointer<ZlibStream>) -> Bool {
        start(stream, -1, 8, 15 + 16, 8, 0, "1.2.11", CInt(MemoryLayout<ZlibStream>.size)) == 0
    }

    /// Compresses, to the end if the input is the last.
    ///
    /// - Returns: Whether the end has been reached.
    func run(_ stream: UnsafeMutablePointer<ZlibStream>, _ isLast: Bool) -> Bool {
        let (noFlush, finish, isAtEnd): (CInt, CInt, CInt) = (0, 4, 1)
        return deflate(stream, isLast ? finish : noFlush) == isAtEnd
    }

    func end(_ stream: UnsafeMutablePointer<ZlibStream>) { _ = deflateEnd(stream) }
}

/// zlib's `z_stream`. Swift lays its members out as C does, and zlib checks the size.
private struct ZlibStream {
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
}

#if canImport(Darwin)
private let nameOfZlib = "/usr/lib/libz.1.dylib"
#elseif os(Android)
private let nameOfZlib = "libz.so"
#else
private let nameOfZlib = "libz.so.1"
#endif
