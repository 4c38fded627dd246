import APIBaseKit
import HostileServer
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct DownloadCancelTests {
    private let folder = DownloadFolder()

    /// A download that has got so far when it is cancelled.
    private func cancelled(at count: Int, resuming: Bool = true) async throws -> FileServer {
        let server = try FileServer(FileServing(count: 1_000_000).with { $0.waitsAt = count })
        let outcome = Outcome<URL, any Error>()
        let call = Call(base: server.url.absoluteString)
        let download = outcome.subscribe(to: call.download(to: folder.file, resuming: resuming))
        let partial = folder.partial.path
        #expect(
            try await holds {
                (try? FileManager.default.attributesOfItem(atPath: partial))?[.size] as? Int == count
            }
        )
        download.cancel()
        #expect(outcome.values.isEmpty && outcome.completion == nil)
        server.change { $0.waitsAt = nil }
        return server
    }

    @Test func `A canceled download keeps its partial file, from which the next download resumes`() async throws {
        let server = try await cancelled(at: 40_000)
        defer { server.stop() }
        #expect(try folder.names == ["file.partial", "file.partial-info"])
        #expect(try await folder.download(from: server).isWhole)
        #expect(server.ranges == [nil, "bytes=40000-"])
        #expect(try folder.names == ["file"])
    }

    @Test func `A canceled download leaves no files when resuming is off`() async throws {
        let server = try await cancelled(at: 40_000, resuming: false)
        defer { server.stop() }
        #expect(try folder.names.isEmpty)
    }

    /// After each, the next is begun at once.
    @Test func `A file is downloaded intact after many downloads canceled at random moments`() async throws {
        let count = 400_000
        let server = try FileServer(FileServing(count: count).with { ($0.pause, $0.chunk) = (300, 4_000) })
        defer { server.stop() }
        for _ in 0..<load(200) {
            let (call, outcome) = (Call(base: server.url.absoluteString), Outcome<URL, any Error>())
            let download = outcome.subscribe(to: call.download(to: folder.file))
            // The moment is what is random here.
            try await Task.sleep(for: .microseconds(.random(in: 0...4_000)))
            download.cancel()
            if let error = outcome.failure { Issue.record("\(error)") }
            if outcome.isFinished {
                #expect(try FileSample.isFile(folder.file, count))
                try FileManager.default.removeItem(at: folder.file)
            }
        }
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, count))
        #expect(try folder.names == ["file"])
    }

    /// The digest is found on the way to the end.
    @Test func `A download canceled when its last byte has arrived leaves the existing file unchanged`() async throws {
        let count = 4_000_000
        let digest = FileServing.digest(Data(count: 32).base64EncodedString())
        let server = try FileServer(FileServing(count: count).with { $0.fields = { _ in [digest] } })
        defer { server.stop() }
        try Data("old".utf8).write(to: folder.file)
        let (call, isThere) = (Call(base: server.url.absoluteString), Later<Void>())
        let line = call.$downloadProgress.sink { if $0.received == $0.expected, $0.received > 0 { isThere.set() } }
        let download = Outcome<URL, any Error>().subscribe(to: call.download(to: folder.file))
        try await isThere.value()
        download.cancel()
        line.cancel()
        #expect(try Data(contentsOf: folder.file) == Data("old".utf8))
        #expect(try await folder.download(from: server).reason == .digest)
    }
}
