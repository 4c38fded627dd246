import APIBaseRecording
import Foundation
import TestTiers
import Testing

/// Files that a recording replaces when it is saved, and things it must not replace.
@Suite(.limited) struct RecordingSaveTests {
    private let folder = TemporaryFolder()

    private func record(_ file: URL, _ text: String = "fine") async throws {
        let recording = try Recording(file: file, mode: .new, over: FakeNetwork(text))
        _ = try await recording.run { try await Fetch("/\(text)").value() }
    }

    private func mode(of file: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    @Test func `A new recording file is readable and writable only by its owner (mode 0600)`() async throws {
        try await record(folder.file("deep/new.har"))
        #expect(try mode(of: folder.file("deep/new.har")) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("deep").path) == ["new.har"])
    }

    @Test(arguments: [0o600, 0o644, 0o640])
    func `An existing recording file keeps its permissions when it is replaced`(mode: Int) async throws {
        try await record(folder.file(), "first")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file().path)
        try await record(folder.file(), "second")
        #expect(try self.mode(of: folder.file()) == mode)
        #expect(try String(contentsOf: folder.file(), encoding: .utf8).contains("/second\""))
    }

    @Test(arguments: [true, false])
    func `Saving a recording through symbolic links writes the target file and keeps the links`(isThere: Bool)
        async throws
    {
        if isThere { try await record(folder.file("real.har"), "first") } else { _ = try folder.write("", to: "x") }
        let link = folder.file("link.har")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "other.har")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("other.har").path,
            withDestinationPath: folder.file("real.har").path
        )
        try await record(link, "second")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "other.har")
        #expect(try String(contentsOf: folder.file("real.har"), encoding: .utf8).contains("/second\""))
    }

    @Test
    func `Saving a recording fails with unwritableFile when the path is a pipe, a device or a folder`() async throws {
        _ = try folder.write("", to: "x")
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let link = folder.file("null")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/dev/null")
        for file in [pipe, link, folder.url] {
            let recording = Recording(replacing: file)
            let error = await #expect(throws: RecordingError.self) {
                try await recording.run {
                    _ = try await Fetch().with { $0.session = FakeNetwork("fine") }.value()
                }
            }
            guard case .unwritableFile(file, let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("not a regular file"))
        }
        let type = try FileManager.default.attributesOfItem(atPath: pipe.path)[.type] as? FileAttributeType
        #expect(type != .typeRegular)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "/dev/null")
    }
}
