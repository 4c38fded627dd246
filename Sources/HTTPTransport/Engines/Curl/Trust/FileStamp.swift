#if os(Linux) || os(Android)
import Foundation

/// The attributes that show, without reading a file, whether it has changed.
struct FileStamp: Equatable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    private let modified: Time
    private let changed: Time

    private struct Time: Equatable {
        let seconds: Int
        let nanoseconds: Int

        init(_ time: timespec) {
            (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
        }
    }

    /// The stamp of the file that the path leads to now; nil without one.
    init?(_ file: URL) {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        size = Int64(status.st_size)
        (modified, changed) = (Time(status.st_mtim), Time(status.st_ctim))
    }

    /// Whether a further change would show. The clock of a file moves in steps: two changes may have the same time.
    var isSettled: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int(now.tv_sec) - changed.seconds > 2
    }
}
#endif
