import APIBaseStubs
import Foundation
import Testing

/// What browsers export is replayed, and what people make of it.
@Suite(.timeLimit(.minutes(5))) struct BrowserTests {
    private let folder = TemporaryFolder()

    private func shop(_ path: String, _ method: HTTPMethod = .get) -> Fetch {
        Fetch(path, method).with { $0.baseURL = URL(string: "https://shop.example") }
    }

    @Test func chromesIsReplayed() async throws {
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

        // What the browser had blocked is no answer.
        let blocked = Fetch("/blocked.js").with { $0.baseURL = URL(string: "https://ads.example") }
        await #expect(throws: RecordingError.self) { try await replay.run { try await blocked.value() } }
    }

    @Test func firefoxsIsReplayedWithItsRedirect() async throws {
        let file = try folder.write(BrowserExports.firefox)
        let replay = try Recording(file: file, mode: .replay)
        let error = await #expect(throws: RecordingError.self) {
            try await replay.run { try await shop("/login", .post).value() }
        }
        // The redirect was followed; where it led to, the export has no body.
        #expect(error == .missingBody(file, entry: 2, size: 5120))
        #expect(
            error?.localizedDescription == "Entry 2 of test.har has no text for the 5120 bytes of its body. "
                + "Export it again, with contents."
        )
    }

    @Test func whatWasEditedByHandIsReplayed() async throws {
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
