import Foundation

/// A folder for one test. It is removed with the object.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The URL of a file in the folder, which may not exist.
    func file(_ name: String = "test.har") -> URL { url.appendingPathComponent(name) }

    /// Writes a file into the folder.
    func write(_ text: String, to name: String = "test.har") throws -> URL {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file(name))
        return file(name)
    }
}
