#if canImport(Darwin)
import Foundation

extension FileDescriptor {
    /// The creation time of the file, in nanoseconds since 1970; nil if that is not known.
    var birth: Int64? {
        var status = stat()
        guard fstat(number, &status) == 0 else { return nil }
        let time = status.st_birthtimespec
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
#endif
