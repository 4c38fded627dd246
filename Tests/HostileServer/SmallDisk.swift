#if os(Linux)
package import Foundation

/// A disk in memory with little room, which only the superuser can have. It is gone with its value.
package final class SmallDisk: Sendable {
    package let url: URL

    /// Whether this process may have one.
    package static let isPossible = SmallDisk(bytes: 100_000) != nil

    package init?(bytes: Int) {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID().uuidString)")
        guard mkdir(url.path, 0o700) == 0 else { return nil }
        guard mount("tmpfs", url.path, "tmpfs", 0, "size=\(bytes),mode=700") == 0 else {
            rmdir(url.path)
            return nil
        }
    }

    deinit {
        umount2(url.path, Int32(MNT_DETACH))
        rmdir(url.path)
    }
}
#endif
