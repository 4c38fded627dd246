#if !canImport(Darwin)
import Foundation

extension FileDescriptor {
    private typealias Statx =
        @convention(c) (
            _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32, UnsafeMutableRawPointer
        ) -> Int32

    /// `statx`, which no header that Swift imports declares; nil in a C library without it.
    private static let statx = dlsym(nil, "statx").map { unsafeBitCast($0, to: Statx.self) }

    /// The creation time of the file, in nanoseconds since 1970; nil if that is not known.
    package var birth: Int64? {
        let (emptyPath, birthTime) = (Int32(0x1000), UInt32(0x800))  // AT_EMPTY_PATH, STATX_BTIME
        var status = [UInt64](repeating: 0, count: 32)  // 256 bytes
        return status.withUnsafeMutableBytes { status in
            guard let statx = Self.statx, let base = status.baseAddress,
                statx(number, "", emptyPath, birthTime, base) == 0,
                status.load(as: UInt32.self) & birthTime != 0
            else { return nil }
            // `stx_btime`: seconds, then nanoseconds.
            let seconds = status.load(fromByteOffset: 80, as: Int64.self)
            return seconds &* 1_000_000_000 &+ Int64(status.load(fromByteOffset: 88, as: UInt32.self))
        }
    }
}
#endif
