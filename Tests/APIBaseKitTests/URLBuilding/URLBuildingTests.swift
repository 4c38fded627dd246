import APIBaseKit
import DemoServer
import TestTiers
import Testing

@Suite struct URLBuildingTests {
    @Test(arguments: [
        ("https://h/v2", "/users", "https://h/v2/users"),
        ("https://h/v2", "users", "https://h/v2/users"),
        ("https://h/v2/", "/users", "https://h/v2/users"),
        ("https://h/v2/", "users", "https://h/v2/users"),
        ("https://h", "/users", "https://h/users"),
        ("https://h", "users/", "https://h/users/"),
        ("http://test", "/", "http://test/"),
        ("https://h/v2", "", "https://h/v2"),
        ("https://h/v2?key=1", "/users", "https://h/v2/users?key=1"),
        ("https://h:8443/v2", "/users", "https://h:8443/v2/users"),
        ("https://h/a%2Fb", "/c", "https://h/a%2Fb/c"),
        ("http://[::1]:8080", "/users", "http://[::1]:8080/users"),
        ("https://h", "/a b", "https://h/a%20b"),
        ("https://h", "/a%20b", "https://h/a%20b"),
        ("https://h", "/100%", "https://h/100%25"),
        ("https://h", "/%zz", "https://h/%25zz"),
        ("https://h", "/ä", "https://h/%C3%A4"),
        ("https://h", "/a%2Fb", "https://h/a%2Fb"),
        ("https://h", "/a:b@c;d=e,f", "https://h/a:b@c;d=e,f"),
        ("https://h", "/a//b", "https://h/a//b"),
        ("https://h", "/..a/.b/c..", "https://h/..a/.b/c.."),
        ("https://h", "/\"<>[]^`{|}", "https://h/%22%3C%3E%5B%5D%5E%60%7B%7C%7D"),
        ("https://h/v2//", "/users", "https://h/v2/users"),
        ("https://h/v2", "/\u{301}/x", "https://h/v2/%CC%81/x"),
        ("https://h", "@e", "https://h/@e"),
        ("https://h", ":80@e", "https://h/:80@e"),
    ])
    func `A base URL and a path are joined by a single slash and percent-encoded`(
        base: String,
        path: String,
        expected: String
    ) throws {
        #expect(try Call(base: base, path).url() == expected)
    }

    @Test(arguments: [
        (nil, "https://h/users", "https://h/users"),
        (nil, "https://h/a[0]", "https://h/a%5B0%5D"),
        (nil, "https://h/users?page=2", "https://h/users?page=2"),
        (nil, "HTTP://h/users", "HTTP://h/users"),
        ("https://h/v2", "https://h/users?page=2", "https://h/users?page=2"),
        ("https://h/v2", "https://h:443/users", "https://h:443/users"),
        ("http://h/v2", "http://H/users", "http://H/users"),
    ])
    func `A path that is an absolute URL of the base URL's origin is used instead of the base URL`(
        base: String?,
        path: String,
        expected: String
    ) throws {
        #expect(try Call(base: base, path).url()?.lowercased() == expected.lowercased())
    }

    @Test(
        arguments: [
            ([("a", "1"), ("b", "2")], "?a=1&b=2"),
            ([("a", "1"), ("a", "2")], "?a=1&a=2"),
            ([("a", nil)], "?a"),
            ([("a", "")], "?a="),
            ([("a b", "c d")], "?a%20b=c%20d"),
            ([("q", "AT&T=x+y;z#1/2?")], "?q=AT%26T%3Dx%2By%3Bz%231%2F2%3F"),
            ([("a&admin", "1=2")], "?a%26admin=1%3D2"),
            ([("q", "ä\n%20")], "?q=%C3%A4%0A%2520"),
            ([], ""),
        ] as [([(String, String?)], String)]
    )
    func `Query items are percent-encoded and appended to the URL in their order`(
        items: [(String, String?)],
        expected: String
    ) throws {
        let call = Call(base: "https://h", "/s")
        call.queryItems = items.map { URLQueryItem(name: $0.0, value: $0.1) }
        #expect(try call.url() == "https://h/s" + expected)
    }

    @Test func `Query items are appended to a query in the base URL or in a path that is an absolute URL`() throws {
        let call = Call(base: "https://h/v2?key=1", "/s")
        call.queryItems = [URLQueryItem(name: "a", value: "2")]
        #expect(try call.url() == "https://h/v2/s?key=1&a=2")
        call.path = "https://h/s?page=1"
        #expect(try call.url() == "https://h/s?page=1&a=2")
        call.path = "https://h/s?page=1&"
        #expect(try call.url() == "https://h/s?page=1&a=2")
        call.path = "https://h/s?"
        #expect(try call.url() == "https://h/s?a=2")
        call.path = "https://h/s?\u{301}"
        #expect(try call.url() == "https://h/s?%CC%81&a=2")
        call.path = "https://h/a&"
        #expect(try call.url() == "https://h/a&?a=2")
    }

    @Test(arguments: [
        ("7", "7"), ("a/b", "a%2Fb"), ("a%2Fb", "a%252Fb"), ("a b", "a%20b"), ("a?b#c", "a%3Fb%23c"),
        ("...", "..."), ("a.b", "a.b"), (".a", ".a"), ("a..b", "a..b"), ("ä", "%C3%A4"), ("a\\b", "a%5Cb"),
        ("https://e", "https%3A%2F%2Fe"), ("a+b&c=d;e", "a%2Bb%26c%3Dd%3Be"), ("-_~", "-_~"), ("//", "%2F%2F"),
    ])
    func `A value interpolated as a path segment is percent-encoded into exactly one segment`(
        value: String,
        expected: String
    ) throws {
        #expect(try Call(base: "https://h", "/todos/\(segment: value)/x").url() == "https://h/todos/\(expected)/x")
    }

    @Test func `An integer or a UUID can be interpolated as a path segment`() throws {
        #expect(try Call(base: "https://h", "/todos/\(segment: 42)").url() == "https://h/todos/42")
        let id = UUID()
        #expect(try Call(base: "https://h", "/todos/\(segment: id)").url() == "https://h/todos/\(id)")
    }
}

/// What must not be sent: each is an error that says which part is wrong, before anything reaches a server.
@Suite(.limited) struct InvalidURLTests {
    @Test(
        arguments: [
            ("/a?b=1", .query), ("?", .query), ("/a#b", .fragment), ("/a/../b", .dotSegment), ("..", .dotSegment),
            (".", .dotSegment), ("/a/.", .dotSegment), ("/%2e%2e/a", .dotSegment), ("/a/%2E/b", .dotSegment),
            ("/.%2e/a", .dotSegment), ("/..%2Fa", .dotSegment), ("/a%2f..%2fb", .dotSegment), ("/..%5Ca", .dotSegment),
            ("/a\\b", .backslash), ("\\\\e", .backslash), ("/a\nb", .controlCharacter),
            ("/a\r\nX: y", .controlCharacter),
            ("/a\tb", .controlCharacter), ("/a\u{0}b", .controlCharacter), ("/a\u{7F}", .controlCharacter),
            ("/a%00b", .controlCharacter), ("/a%0d%0ab", .controlCharacter), ("//e", .foreignOrigin),
            ("//\u{301}e/x", .foreignOrigin),
            ("//e/x", .foreignOrigin), ("https://e/x", .foreignOrigin), ("http://127.0.0.2/x", .foreignOrigin),
            ("HTTPS://E/x", .foreignOrigin), ("http://127.0.0.1:1/x", .foreignOrigin), ("ftp://e/x", .scheme("ftp")),
            ("file:///etc/passwd", .scheme("file")), ("http://u:p@e/x", .userInfo),
            ("http://127.0.0.1\\@e/", .backslash),
            ("https:///x", .noHost), ("ht\ntp://e/", .controlCharacter),
        ] as [(String, RequestError.InvalidURL.Reason)]
    )
    func `A path with a query, dot segment, control character or other origin fails with invalidURL`(
        path: String,
        reason: RequestError.InvalidURL.Reason
    ) async throws {
        try await expectRefusal(.path, reason) { $0.path = path }
    }

    @Test(
        arguments: [
            ("", .empty), (".", .dotSegment), ("..", .dotSegment), ("a/../b", .dotSegment), ("../a", .dotSegment),
            ("a/.", .dotSegment), ("..\\a", .dotSegment), ("a\nb", .controlCharacter), ("\u{0}", .controlCharacter),
            ("\u{7F}", .controlCharacter),
        ] as [(String, RequestError.InvalidURL.Reason)]
    )
    func `A path segment that is empty or has dot segments or control characters fails with invalidURL`(
        value: String,
        reason: RequestError.InvalidURL.Reason
    ) async throws {
        try await expectRefusal(.segment, reason) { $0.path = "/todos/\(segment: value)/comments" }
    }

    @Test(
        arguments: [
            ("ftp://h", .scheme("ftp")), ("file:///h", .scheme("file")), ("javascript:alert(1)", .scheme("javascript")),
            ("h/v2", .scheme(nil)), ("/v2", .scheme(nil)), ("//h/v2", .scheme(nil)), ("http:///v2", .noHost),
            ("http:v2", .noHost), ("https://user@h", .userInfo), ("https://user:password@h", .userInfo),
            ("https://:password@h", .userInfo), ("https://h/#a", .fragment), ("https://h/a/../b", .dotSegment),
            ("https://h/%2e%2e/b", .dotSegment), ("https://h/%00", .controlCharacter),
        ] as [(String, RequestError.InvalidURL.Reason)]
    )
    func `A base URL with another scheme, user info, fragment or dot segment fails with invalidURL`(
        text: String,
        reason: RequestError.InvalidURL.Reason
    ) async throws {
        let url = try #require(URL(string: text))
        try await expectRefusal(.baseURL, reason) { $0.baseURL = url }
    }

    @Test
    func `A call without a base URL fails with invalidURL, which says that the base URL is missing`() async throws {
        try await expectRefusal(.baseURL, .missing) { $0.baseURL = nil }
    }

    @Test func `The error for a question mark in a path says to use queryItems or to escape the mark`() {
        let error = #expect(throws: RequestError.self) { try Call("/a?b").buildURLRequest() }
        #expect(
            error?.localizedDescription
                == "The path cannot be used: it holds “?”; put the query into queryItems, or escape it as %3F."
        )
    }

    /// Expects the request to be refused while it is built, and when it is sent, with and without a stub; and that no
    /// connection has reached the server.
    private func expectRefusal(
        _ part: RequestError.InvalidURL.Part,
        _ reason: RequestError.InvalidURL.Reason,
        _ change: (Call) -> Void
    ) async throws {
        let server = DemoAPIServer()
        let call = Call(base: try server.start().absoluteString, "/users")
        defer { server.stop() }
        change(call)
        let isExpected: (any Error) -> Bool = { error in
            guard case RequestError.invalidURL(let invalid) = error else { return false }
            return invalid.part == part && invalid.reason == reason
        }
        #expect { try call.buildURLRequest() } throws: { isExpected($0) }
        await #expect { try await call.value() } throws: { isExpected($0) }
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        await #expect { try await call.value() } throws: { isExpected($0) }
        #expect(call.request == nil)
        #expect(server.acceptedConnections == 0)
    }
}
