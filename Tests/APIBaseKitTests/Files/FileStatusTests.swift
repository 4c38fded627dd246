import APIBaseKit
@testable import SafeFiles
import Basics
import Dispatch
import TestTiers
import Testing

@Suite(.limited) struct FileStatusTests {
    /// A look-up that meets a removal finds a file without links, which is neither there nor unlike the one that was.
    @Test func `FileStatus is nil for a file that is being removed, never a status with 0 links`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("status-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("file").path
        let descriptor = try FileDescriptor(folder: folder.path)
        let isDone = Locked(false)
        let maker = DispatchGroup()
        DispatchQueue(label: "maker").async(group: maker) {
            while !isDone.withLock({ $0 }) {
                close(open(path, O_CREAT | O_WRONLY, 0o600))
                unlink(path)
            }
        }
        defer {
            isDone.withLock { $0 = true }
            maker.wait()
        }
        // Until it has been found as often.
        var found = 0
        while found < load(20_000) {
            for status in [descriptor.status(of: "file"), FileStatus(at: path)].compactMap({ $0 }) {
                found += 1
                #expect(status.linkCount == 1)
            }
        }
    }
}
