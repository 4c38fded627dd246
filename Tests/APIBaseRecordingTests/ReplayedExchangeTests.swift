import APIBaseRecording
import LoopbackServer
import Foundation
import Basics
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct ReplayedExchangeTests {
    private let folder = TemporaryFolder()

    private func replay(_ name: String = "test.har") throws -> Recording {
        try Recording(file: folder.file(name), mode: .replay)
    }

    // MARK: The rest of a call

    @Test
    func `A replayed call publishes progress, and fails when above the size limit or with status 404`() async throws {
        let text = String(repeating: "text ", count: 60_000)
        let network = FakeNetwork { request throws(TransportError) in
            request.urlRequest.url?.path == "/none"
                ? .init("gone", status: 404) : .init(text, headers: ["Content-Length": "300000"])
        }
        let recording = try Recording(file: folder.file(), over: network)
        try await recording.run {
            for _ in 0..<2 { _ = try await Fetch("/things", .post, body: "12345").value() }
            await #expect(throws: RequestError.self) { try await Fetch("/none").value() }
        }
        try await replay().run {
            let call = Fetch("/things", .post, body: "12345")
            let replayed = try await call.value()
            #expect(replayed == text)
            #expect(call.uploadProgress == (5, 5))
            #expect(call.downloadProgress == (300_000, 300_000))
            let small = Fetch("/things", .post, body: "12345").with { $0.limits.responseBytes = 1000 }
            let error = await #expect(throws: TransportError.self) { try await small.value() }
            #expect(error?.reason == .tooLarge(.responseBytes, limit: 1000))
            let failure = await #expect(throws: RequestError.self) { try await Fetch("/none").value() }
            #expect(failure?.localizedDescription.contains("404") == true)
        }
    }

    /// A real engine: the response is recorded before its end is delivered.
    @Test func `A response from a real server is already recorded when its publisher finishes`() async throws {
        let server = try HTTPServer { request in
            guard request.path == "/" else { return .text(String(repeating: "x", count: 100_000)) }
            return ServerResponse(status: 302, headers: HTTPFields(["Location": "/end"]))
        }
        defer { server.stop() }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let request = ExchangeRequest(URLRequest(url: url))
        let recording = try Recording(file: folder.file(), over: DefaultSession.shared)
        for _ in 0..<load(30) {
            for try await (data, _) in recording.response(to: request).values { #expect(data.count == 100_000) }
            try recording.save()
            let replay = try replay()
            for try await (data, _) in replay.response(to: request).values { #expect(data.count == 100_000) }
        }
    }

    /// A replay of one response, which answers again and again.
    private func replay(of text: String) async throws -> Recording {
        let recording = try Recording(file: folder.file(), over: FakeNetwork(text))
        _ = try await recording.run { try await Fetch().value() }
        return try Recording(file: folder.file(), mode: .replay, allowsRepeats: true)
    }

    /// An asynchronous sequence requests one event at a time. That the others wait is shown by `LimitTests`, for the same
    /// engine.
    @Test func `A replayed response body of 1 MB arrives in 64 pieces of at most 16 kB`() async throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        let replay = try await replay(of: text)
        let request = ExchangeRequest(URLRequest(url: try #require(URL(string: "http://api.example/things"))))
        var (bytes, pieces) = (Data(), 0)
        for try await event in replay.exchange(request).values {
            guard case .body(let piece) = event else { continue }
            bytes += piece
            pieces += 1
            #expect(piece.count <= 16 << 10)
        }
        #expect(bytes == Data(text.utf8))
        #expect(pieces == 64)
    }

    // MARK: Bodies of requests

    @Test
    func `Request bodies from memory, files and streams are sent and recorded, and replays match them`() async throws {
        let source = try folder.write("from a file", to: "source.txt")
        let sent = Locked<[String]>([])
        let network = FakeNetwork { request throws(TransportError) in
            let body = (try? request.body.bytes()) ?? Data("unreadable".utf8)
            sent.withLock { $0.append(String(decoding: body, as: UTF8.self)) }
            return .init("ok")
        }
        let url = try #require(URL(string: "http://api.example/upload"))
        func exchanges() -> [ExchangeRequest] {
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            let stream = InputStream(data: Data("from a stream".utf8))
            return [
                .data(Data("from memory".utf8)), .file(source),
                .stream(count: nil) { InputStream(data: Data("from a factory".utf8)) }, .once(stream, count: 13),
            ].map { ExchangeRequest(request, body: $0) }
        }
        let texts = ["from memory", "from a file", "from a factory", "from a stream"]

        let recording = try Recording(file: folder.file(), over: network)
        for request in exchanges() { for try await _ in recording.exchange(request).values {} }
        try recording.save()
        #expect(sent.withLock { $0 } == texts)
        let file = try String(contentsOf: folder.file(), encoding: .utf8)
        for text in texts { #expect(file.contains("\"text\" : \"\(text)\"")) }

        // Replayed in another order, so that the body decides on the entry.
        let replay = try Recording(
            file: folder.file(),
            mode: .replay,
            matching: .default.union([.body])
        )
        for request in exchanges().reversed() { for try await _ in replay.exchange(request).values {} }
    }

    @Test
    func `A recorded call fails with unreadableFile when the file of its request body does not exist`() async throws {
        var request = URLRequest(url: try #require(URL(string: "http://api.example/upload")))
        request.httpMethod = "PUT"
        let file = HTTPBody.file(folder.file("nothing"))
        let recording = try Recording(file: folder.file(), over: FakeNetwork("never"))
        let error = await #expect(throws: TransportError.self) {
            for try await _ in recording.exchange(ExchangeRequest(request, body: file)).values {}
        }
        #expect(error?.reason == .invalidRequest(.init(.body, .unreadableFile)))
    }
}
