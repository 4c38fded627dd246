import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

@Suite(.limited) struct DownloadTests {
    private let folder = DownloadFolder()

    @Test(.everySession, arguments: [0, 1, 100_000])
    func `A download replaces the existing file with the whole body and reports full progress`(_ count: Int)
        async throws
    {
        let server = try FileServer(FileServing(count: count))
        defer { server.stop() }
        try Data("old".utf8).write(to: folder.file)
        let outcome = try await folder.download(from: server)
        #expect(outcome.isWhole, "\(String(describing: outcome.error))")
        #expect(try FileSample.isFile(folder.file, count))
        #expect(try folder.names == ["file"])
        #expect(server.ranges == [nil])
        #expect(server.requests.map { $0["Accept-Encoding"] } == ["identity"])
        #expect(server.requests.map { $0["If-Range"] } == [nil])
        let last = try #require(outcome.progress.last)
        #expect(last == (Int64(count), Int64(count)))
    }

    @Test(.everySession)
    func `A download of a chunked body reports no expected length and saves the whole file`() async throws {
        let server = try FileServer(FileServing(count: 100_000).with { $0.hasLength = false })
        defer { server.stop() }
        let outcome = try await folder.download(from: server)
        #expect(outcome.isWhole)
        #expect(try FileSample.isFile(folder.file, 100_000))
        let progress = outcome.progress.filter { $0.received > 0 }
        #expect(progress.last?.received == 100_000 && progress.allSatisfy { $0.expected == -1 })
    }

    @Test func `A download that gets a 404 fails and leaves the existing file unchanged`() async throws {
        let server = try FileServer(FileServing(count: 10).with { $0.status = "404 Not Found" })
        defer { server.stop() }
        try Data("old".utf8).write(to: folder.file)
        let error = try await folder.download(from: server).error
        guard case .httpFailure(404)? = error as? RequestError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: folder.file) == Data("old".utf8))
        #expect(try folder.names == ["file"])
    }

    @Test func `A download fails with unexpectedPart when a 206 answers a request without Range`() async throws {
        let server = try FileServer(FileServing(count: 10).with { $0.status = "206 Partial Content" })
        defer { server.stop() }
        #expect(try await folder.download(from: server).reason == .unexpectedPart)
        #expect(try folder.names.isEmpty)
    }

    @Test func `A download shorter than its Content-Length fails and keeps the partial file`() async throws {
        let server = try FileServer(
            FileServing(count: 1_000).with {
                $0.length = { $0 + 1 }; $0.closes = true
            }
        )
        defer { server.stop() }
        #expect(try await folder.download(from: server).error is TransportError)
        #expect(try folder.names == ["file.partial", "file.partial-info"])
    }

    // MARK: Stubs

    @Test
    func `A download from Stubs resumes with a Range request after a response with a body that is too short`()
        async throws
    {
        let stubs = Stubs()
        let all = FileSample.bytes(0..<1_000)
        stubs.on().answer(
            inOrder: .status(503),
            .status(200, headers: ["ETag": "\"a\"", "Content-Length": "1000"], data: all.prefix(300)),
            .status(206, headers: ["ETag": "\"a\"", "Content-Range": "bytes 300-999/1000"], data: all.dropFirst(300))
        )
        let call = Call()
        call.retry = .standard
        let first = try await stubs.runUnchecked { try await DownloadOutcome(of: call, to: folder.file) }
        #expect(first.reason == .length(expected: 1_000, received: 300))
        #expect(try await stubs.runUnchecked { try await DownloadOutcome(of: call, to: folder.file) }.isWhole)
        #expect(stubs.calls.map { $0.headers["Range"] } == [nil, nil, "bytes=300-"])
        #expect(try Data(contentsOf: folder.file) == all)
    }

    @Test
    func `A download from the call's own stub saves the body, and a stubbed error leaves the saved file`() async throws
    {
        let call = Call()
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data("abc".utf8), headers: ["ETag": "\"a\""])
        #expect(try await DownloadOutcome(of: call, to: folder.file).isWhole)
        #expect(try Data(contentsOf: folder.file) == Data("abc".utf8))
        #expect(try folder.names == ["file"])
        call.dataTaskPublisher = call.stub(error: URLError(.timedOut))
        #expect(try await DownloadOutcome(of: call, to: folder.file).error is URLError)
        #expect(try Data(contentsOf: folder.file) == Data("abc".utf8))
    }

    @Test func `A download that gets a 401 is sent again with a renewed token`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            guard request["Authorization"] == "Bearer new" else {
                return try connection.write(reply("401 Unauthorized"))
            }
            try connection.write(reply(body: "abc"))
        }
        defer { server.stop() }
        let call = Call(base: server.url().absoluteString)
        call.authorization = .tokens(TokenSource(Token("old")) { _ in Token("new") })
        #expect(try await DownloadOutcome(of: call, to: folder.file).isWhole)
        #expect(try Data(contentsOf: folder.file) == Data("abc".utf8))
    }
}
