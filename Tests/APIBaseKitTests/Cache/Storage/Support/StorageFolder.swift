import APIBaseKit
@testable import APIBaseCache

/// A folder for one test, which is gone with it.
final class StorageFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("storage-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The folder of the files.
    var root: URL { url.appendingPathComponent("v2") }

    /// The file of a key.
    func file(_ key: ResponseKey) -> URL { folder(key.url).appendingPathComponent(key.user) }

    /// The folder of a URL.
    func folder(_ digest: String) -> URL {
        root.appendingPathComponent(String(digest.prefix(2))).appendingPathComponent(digest)
    }

    /// The names in the root that are not those of groups.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.utf8.count != 2 }
    }

    /// Sets when a file or folder was written last.
    static func date(_ url: URL, secondsAgo: Double) throws {
        let date = Date(timeIntervalSinceNow: -secondsAgo)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }
}
