import APIBaseRecording
import Foundation
import TestTiers
import Testing

@Suite(.limited) struct RecordingMatchingTests {
    private let folder = TemporaryFolder()

    /// A recording that was written by hand.
    private func recording(
        _ entries: (method: String, url: String, reply: String)...,
        matching criteria: Set<Recording.Criterion> = .default
    ) throws -> Recording {
        let texts = entries.map { entry in
            #"""
            {
              "request": {"method": "\#(entry.method)", "url": "\#(entry.url)"},
              "response": {"status": 200, "content": {"text": "\#(entry.reply)"}}
            }
            """#
        }
        let file = try folder.write(#"{"log": {"entries": [\#(texts.joined(separator: ","))]}}"#)
        return try Recording(file: file, mode: .replay, matching: criteria)
    }

    @Test(arguments: [
        ("http://api.example/a?x=1&y=2", "/a", "y=2&x=1", true),
        ("http://api.example/a?x=1&x=2", "/a", "x=2&x=1", false),
        ("http://API.example:80/a", "/a", "", true), ("https://api.example/a", "/a", "", false),
        ("http://api.example/a?x=1", "/a", "", false), ("http://api.example/a", "/a", "x", false),
        ("http://api.example/a%2Fb", "/a%2Fb", "", true), ("http://api.example/a/b", "/a%2Fb", "", false),
        ("http://api.example/a?x=a%20b+c", "/a", "x=a b c", true), ("http://api.example/A", "/a", "", false),
        ("http://api.example/a?api_key=REDACTED", "/a", "api_key=anything", true),
        ("http://api.example/a?api_key=old", "/a", "api_key=new", true),
        ("http://api.example/a?api_key=old", "/a", "", false),
        ("http://api.example/u/REDACTED/b?page=REDACTED", "/u/1234/b", "page=7", true),
        ("http://api.example/u/REDACTED/b", "/u/1234/c", "", false),
        ("http://api.example/REDACTED-REDACTED", "/1-2", "", true), ("http://api.example/REDACTED-", "/1-2", "", false),
    ])
    func `A replay finds the recorded entry by origin, path and query, ignoring query order and secrets`(
        url: String,
        path: String,
        query: String,
        fits: Bool
    ) async throws {
        let replay = try recording(("GET", url, "yes"))
        let request = Fetch(path)
        request.queryItems = query.split(separator: "&").map { item in
            let halves = item.split(separator: "=", maxSplits: 1).map(String.init)
            return URLQueryItem(name: halves[0], value: halves.count > 1 ? halves[1] : nil)
        }
        let text = try? await replay.run { try await request.value() }
        #expect(text == (fits ? "yes" : nil))
    }

    @Test func `A replay answers with the recorded entry that has the request's HTTP method`() async throws {
        let replay = try recording(("GET", "http://api.example/a", "got"), ("post", "http://api.example/a", "posted"))
        #expect(try await replay.run { try await Fetch("/a", .post).value() + Fetch("/a").value() } == "postedgot")
    }

    /// As the query of a URL.
    @Test(arguments: [
        (HTTPMethod.query, #"{"a": 1, "b": 2}"#, "2" as String?), (.query, #"{"b": 3}"#, nil), (.post, "x", "1"),
    ])
    func `A replay answers a QUERY with the entry that has its body, which for a POST is not compared`(
        method: HTTPMethod,
        body: String,
        text: String?
    ) async throws {
        func call(_ body: String) -> Fetch {
            Fetch("/a", method, body: body).with { $0.contentType = "application/json" }
        }
        let file = folder.file("queries")
        for (body, answer) in [(#"{"a": 1}"#, "1"), (#"{"b": 2, "a": 1}"#, "2")] {
            let recording = try Recording(file: file, mode: .new, over: FakeNetwork(answer))
            _ = try await recording.run { try await call(body).value() }
        }
        let replay = try Recording(file: file, mode: .replay)
        let answer = try? await replay.run { try await call(body).value() }
        #expect(answer == text)
    }

    @Test
    func `A replay answers a request to another server when its matching criteria omit the origin`() async throws {
        let replay = try recording(("GET", "https://other.example:8443/a", "yes"), matching: [.method, .path, .query])
        #expect(try await replay.run { try await Fetch("/a").value() } == "yes")
    }

    /// The secret is also a word of the URL, in the replay or in the recording.
    @Test(arguments: ["things", "example", "another-key"])
    func `A replay finds the recorded entry even if the secret API key is also a word of the URL`(key: String)
        async throws
    {
        for recorded in ["things", "example", "the-real-key"] {
            func call(_ key: String) -> Fetch { Fetch().with { $0.headers["X-Api-Key"] = key } }
            let recording = try Recording(file: folder.file(recorded), over: FakeNetwork("yes"))
            _ = try await recording.run { try await call(recorded).value() }
            let replay = try Recording(file: folder.file(recorded), mode: .replay)
            #expect(try await replay.run { try await call(key).value() } == "yes")
        }
    }

    @Test func `A replay picks the recorded entry by a request header that is in its matching criteria`() async throws {
        let network = FakeNetwork("English", "German")
        func call(_ language: String) -> Fetch { Fetch().with { $0.headers["Accept-Language"] = language } }
        let recording = try Recording(file: folder.file(), over: network)
        _ = try await recording.run { try await call("en").value() + call("de").value() }
        let replay = try Recording(
            file: folder.file(),
            mode: .replay,
            matching: .default.union([.header("accept-language"), .header("Authorization")])
        )
        #expect(try await replay.run { try await call("de").value() + call("en").value() } == "GermanEnglish")
    }

    @Test
    func `A replay that matches by body ignores key order, blanks and secret values of JSON bodies`() async throws {
        let network = FakeNetwork("first", "second")
        let recording = try Recording(file: folder.file(), over: network)
        _ = try await recording.run {
            try await Fetch("/things", .post, body: #"{"a":1,"password":"hunter22","b":[true,null]}"#).value()
                + Fetch("/things", .post, body: #"{"a":2}"#).value()
        }
        let replay = try Recording(
            file: folder.file(),
            mode: .replay,
            matching: .default.union([.body])
        )
        try await replay.run {
            let second = try await Fetch("/things", .post, body: #"{"a": 2}"#).value()
            let body = #"{"b":[true, null], "password":"other", "a":1}"#
            let first = try await Fetch("/things", .post, body: body).value()
            #expect([first, second] == ["first", "second"])
            await #expect(throws: RecordingError.self) { try await Fetch("/things", .post, body: #"{"a":3}"#).value() }
        }
    }

    // MARK: Messages

    private func message(_ recording: Recording, _ request: Fetch) async throws -> String {
        do {
            _ = try await recording.run { try await request.value() }
            return "an answer"
        } catch let error as RecordingError {
            return error.localizedDescription
        }
    }

    @Test
    func `A replay's error for an unmatched request lists the nearest recorded entries and differences`() async throws {
        let replay = try recording(
            ("DELETE", "http://api.example/users/7", ""),
            ("GET", "http://api.example/users?page=1&token=old-token", ""),
            ("GET", "http://api.example/users?page=2&sort=name", ""),
            ("GET", "http://other.example/users?page=3", ""),
            ("POST", "http://api.example/users?page=3", "")
        )
        let request = Fetch("/users")
        request.queryItems = [URLQueryItem(name: "page", value: "3"), URLQueryItem(name: "token", value: "new-token")]
        #expect(
            try await message(replay, request) == """
                No entry of test.har answers GET http://api.example/users?page=3&token=REDACTED. The nearest of its 5:
                  entry 2, GET http://api.example/users?page=1&token=REDACTED: query item “page” is “3”, not “1”
                  entry 3, GET http://api.example/users?page=2&sort=name: query item “page” is “3”, not “2”; query \
                item “sort” is missing, not “name”; query item “token” is “REDACTED”, not missing
                  entry 4, GET http://other.example/users?page=3: origin is “http://api.example:80”, not \
                “http://other.example:80”; query item “token” is “REDACTED”, not missing
                """
        )
    }

    @Test
    func `A replay's error for a repeated request says that the matching entry has answered before`() async throws {
        let replay = try recording(("GET", "http://api.example/a", "once"))
        _ = try await replay.run { try await Fetch("/a").value() }
        #expect(
            try await message(replay, Fetch("/a")) == """
                No entry of test.har answers GET http://api.example/a. What it has:
                  entry 1, GET http://api.example/a: has answered before
                """
        )
    }

    @Test func `A replay's error for a request to an empty recording says that it has no entries`() async throws {
        #expect(
            try await message(recording(), Fetch("/a"))
                == "No entry of test.har answers GET http://api.example/a: it has none."
        )
    }

    @Test
    func `A replay used as a session throws a TransportError which says that no recorded entry answers`() async throws {
        let replay = try recording()
        let url = try #require(URL(string: "http://api.example/a"))
        let error = await #expect(throws: TransportError.self) {
            for try await _ in replay.response(to: ExchangeRequest(URLRequest(url: url))).values {}
        }
        #expect(
            error?.localizedDescription
                == "The exchange failed (http://api.example/a): No entry of test.har answers GET http://api.example/a: "
                + "it has none."
        )
    }
}
