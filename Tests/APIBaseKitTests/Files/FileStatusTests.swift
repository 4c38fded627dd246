@testable import APIBaseKit
import Basics
import Dispatch
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileStatusTests {
    /// A look-up that meets a removal finds a file without links, which is neither there nor unlike the one that was.
    @Test func `A file that is being removed has no status rather than one without links`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("status-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("file").path
        let isDone = Locked(false)
        let maker = DispatchGroup()
        DispatchQueue.global().async(group: maker) {
            for _ in 0..<50_000 {
                close(open(path, O_CREAT | O_WRONLY, 0o600))
                unlink(path)
            }
            isDone.withLock { $0 = true }
        }
        let descriptor = try FileDescriptor(folder: folder.path)
        var found = 0
        while !isDone.withLock({ $0 }) {
            for status in [descriptor.status(of: "file"), FileStatus(at: path)].compactMap({ $0 }) {
                found += 1
                #expect(status.linkCount == 1)
            }
        }
        maker.wait()
        #expect(found > 0)
    }
}
