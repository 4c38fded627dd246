import APIBaseRecording
import Foundation
import TestTiers
import Testing

/// Replays of files that browsers export, as they are and edited by hand.
@Suite(.limited) struct BrowserHARTests {
    private let folder = TemporaryFolder()

    private func shop(_ path: String, _ method: HTTPMethod = .get) -> Fetch {
        Fetch(path, method).with { $0.baseURL = URL(string: "https://shop.example") }
    }

    @Test
    func `A HAR file from Chrome is replayed, but a request the browser blocked fails with RecordingError`()
        async throws
    {
        let replay = try Recording(file: folder.write(BrowserExports.chrome), mode: .replay)
        let tap = Tap(replay)
        let items = shop("/api/items").with { $0.session = tap }
        items.queryItems = [
            URLQueryItem(name: "access_token", value: "mine"), URLQueryItem(name: "page", value: "1"),
        ]
        #expect(try await items.value() == #"{"items":["Tee","Käse"],"next":2}"#)
        #expect(
            tap.replies[0].headers == [
                ["content-encoding", "br"], ["content-length", "21"], ["content-type", "application/json"],
                ["x-first", "1"], ["x-first", "2"],
            ]
        )
        let image = shop("/dot.png").with { $0.session = tap }
        _ = try await image.value()
        #expect(tap.replies[1].body == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))

        // A request that the browser blocked has no answer.
        let blocked = Fetch("/blocked.js").with { $0.baseURL = URL(string: "https://ads.example") }
        await #expect(throws: RecordingError.self) { try await replay.run { try await blocked.value() } }
    }

    @Test
    func `A replayed Firefox HAR file follows a redirect and fails with missingBody, as its target has none`()
        async throws
    {
        let file = try folder.write(BrowserExports.firefox)
        let replay = try Recording(file: file, mode: .replay)
        let error = await #expect(throws: RecordingError.self) {
            try await replay.run { try await shop("/login", .post).value() }
        }
        // The redirect is followed. The export has no body for its target.
        #expect(error == .missingBody(file, entry: 2, size: 5120))
        #expect(
            error?.localizedDescription == "Entry 2 of test.har has no text for the 5120 bytes of its body. "
                + "Export it again, with contents."
        )
    }

    /// Browsers write several cookies into one field, and give the compressed length of a body.
    @Test
    func `A replay of a browser's HAR file decodes base64 bodies and splits Set-Cookie at line breaks`() async throws {
        let file = try folder.write(
            #"""
            {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [],
             "entries": [{
              "_initiator": {"type": "other"}, "_priority": "VeryHigh", "_resourceType": "document", "cache": {},
              "request": {"method": "GET", "url": "https://shop.example/start#top", "httpVersion": "h2", "cookies": [],
                "headers": [{"name": ":path", "value": "/start"}, {"name": ":scheme", "value": "https"}]},
              "response": {"status": 200, "statusText": "", "httpVersion": "h2",
                "headers": [{"name": "content-encoding", "value": "gzip"}, {"name": "content-length", "value": "3"},
                  {"name": "set-cookie", "value": "a=1; Path=/\nb=2; HttpOnly"}],
                "cookies": [{"name": "a", "value": "1", "path": "/", "httpOnly": false, "secure": false,
                  "sameSite": "Lax"}],
                "content": {"size": 11, "mimeType": "text/plain", "compression": 8, "text": "aGVsbG8gd29ybGQ=",
                  "encoding": "base64"}, "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 99},
              "startedDateTime": "2026-03-01T10:00:00.456Z", "time": 1.5, "timings": {"blocked": -1, "_queued": 3}}]}}
            """#
        )
        let tap = Tap(try Recording(file: file, mode: .replay))
        #expect(try await shop("/start").with { $0.session = tap }.value() == "hello world")
        #expect(tap.replies[0].headers.suffix(2) == [["set-cookie", "a=1; Path=/"], ["set-cookie", "b=2; HttpOnly"]])
    }

    @Test func `A replay of a HAR file that was edited by hand gives the edited body`() async throws {
        let recording = try Recording(file: folder.file(), over: FakeNetwork(#"{"id":1}"#, "second"))
        _ = try await recording.run { try await Fetch("/a").value() + Fetch("/b").value() }
        var text = try String(contentsOf: folder.file(), encoding: .utf8)
        text = text.replacingOccurrences(of: #"{\"id\":1}"#, with: #"{\"id\":2, \"name\":\"longer\"}"#)
            .replacingOccurrences(of: "http://api.example/b", with: "http://api.example/REDACTED")
        _ = try folder.write(text)
        let replay = try Recording(file: folder.file(), mode: .replay)
        #expect(try await replay.run { try await Fetch("/a").value() } == #"{"id":2, "name":"longer"}"#)
        #expect(try await replay.run { try await Fetch("/anything").value() } == "second")
    }
}
