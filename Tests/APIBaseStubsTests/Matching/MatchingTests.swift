import APIBaseStubs
import JSONPlaceholder
import TestTiers
import Testing

@Suite(.limited) struct MatchingTests {
    private final class Special: Call, @unchecked Sendable {}

    private func call(_ change: (Call) -> Void = { _ in }) -> Call {
        let call = Call(.post, "/todos/7")
        call.queryItems = [URLQueryItem(name: "page", value: "2"), URLQueryItem(name: "flag", value: nil)]
        call.headers["X-Kind"] = "a b"
        call.body = Data(#"{"title": "T", "done": false, "tags": ["a", "b"], "size": 1.0}"#.utf8)
        change(call)
        return call
    }

    /// The mismatches of the stub; nil if it answers.
    private func mismatches(_ call: Call, _ add: (Stubs) -> Stub) async -> [String]? {
        let stubs = Stubs()
        add(stubs).optional().answer(.text("ok"))
        call.session = stubs
        do {
            _ = try await call.value()
            return nil
        } catch StubProblem.unmatched(_, let nearest) {
            return nearest.flatMap(\.mismatches).map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test(arguments: [
        ("/todos/:id", true), ("/todos/7", true), ("/v1/todos/7", true), ("todos/7", true), ("/todos/*", true),
        ("/**", true),
        ("/todos/**", true), ("/todos", false), ("/todos/7/", false), ("/todos/:id/x", false), ("/todos/8", false),
        ("/v2/todos/7", false), ("", false),
    ])
    func `A stub's path pattern matches segments, :parameters and wildcards, with or without a base path`(
        pattern: String,
        matches: Bool
    ) async {
        let found = await mismatches(call()) { $0.on(.post, pattern) }
        let path = pattern.hasPrefix("/v2") ? "/v1/todos/7" : "/todos/7"
        #expect(found == (matches ? nil : ["path is \(path), not \(pattern)"]))
    }

    @Test(arguments: ["/a b/:name", "/a b/{name}"])
    func `A stub's path pattern matches the decoded path and gives decoded parameters`(pattern: String) async throws {
        let stubs = Stubs()
        stubs.on(.get, pattern).answer { .text($0.parameters["name"] ?? "") }
        let call = Call(.get, "/a%20b/\(segment: "x/y z")")
        call.session = stubs
        #expect(await call.outcome() == .success("x/y z"))
    }

    @Test func `A stub for a request class answers its subclasses and no other class`() async {
        #expect(await mismatches(call()) { $0.on(Call.self) } == nil)
        #expect(await mismatches(call()) { $0.on(APIBase.self) } == nil)
        #expect(await mismatches(call()) { $0.on(UsersRequest.self) } == ["class is Call, not UsersRequest"])
        #expect(await mismatches(call()) { $0.on(Special.self) } == ["class is Call, not Special"])
        let special = Special(.get, "/")
        #expect(await mismatches(special) { $0.on(Call.self) } == nil)
    }

    /// Messages show the whole path or the part below the base URL, like the pattern.
    @Test(arguments: [
        ("/v1/thingz/:id", "path is /v1/users/7, not /v1/thingz/:id"),
        ("/thingz/:id", "path is /users/7, not /thingz/:id"),
        ("/v1/users", "path is /v1/users/7, not /v1/users"), ("/users", "path is /users/7, not /users"),
        ("/v1/**", nil), ("/v2/users/*", "path is /v1/users/7, not /v2/users/*"), ("/", "path is /users/7, not /"),
    ])
    func `A stub's path mismatch shows the base path only when the pattern begins like a base path`(
        pattern: String,
        mismatch: String?
    ) async {
        let call = call { ($0.path, $0.queryItems) = ("/users/7", []) }
        #expect(await mismatches(call) { $0.on(nil, pattern) } == mismatch.map { [$0] })
    }

    @Test func `A stub answers only requests whose method, query and headers match`() async {
        #expect(await mismatches(call()) { $0.on(.get) } == ["method is POST, not GET"])
        #expect(await mismatches(call()) { $0.on(query: ["page": "2", "flag": .any, "other": .absent]) } == nil)
        #expect(
            await mismatches(call()) { $0.on(query: ["flag": .absent, "page": "1", "other": "x"]) } == [
                "query item “flag” is “”, not nothing", "query item “other” is missing, not “x”",
                "query item “page” is “2”, not “1”",
            ]
        )
        #expect(await mismatches(call()) { $0.on(headers: ["x-kind": .contains("b")]) } == nil)
        #expect(
            await mismatches(call()) { $0.on(headers: ["x-kind": .contains("c")]) } == [
                "header “x-kind” is “a b”, not something with “c”"
            ]
        )
        #expect(await mismatches(call()) { $0.on(headers: ["X-Kind": .matching("short") { $0.count < 9 }]) } == nil)
    }

    @Test func `A stub's mismatch of the Authorization header does not show the value of the header`() async {
        let call = call()
        call.headers["Authorization"] = "Bearer canary"
        #expect(
            await mismatches(call) { $0.on(headers: ["Authorization": "Bearer other"]) } == [
                "header “Authorization” is another, not the secret that the stub wants"
            ]
        )
        #expect(
            await mismatches(self.call()) { $0.on(headers: ["Authorization": "Bearer other"]) } == [
                "header “Authorization” is missing, not the secret that the stub wants"
            ]
        )
    }

    @Test(
        arguments: [
            (BodyPattern.json(#"{"size":1,"tags":["a","b"],"done":false,"title":"T"}"#), nil),
            (.json(#"{"size":1,"tags":["a","b"],"done":false}"#), "body.title is “T”, not nothing"),
            (.json(#"{"title":"U","size":1,"tags":["a","b"],"done":false}"#), "body.title is “T”, not “U”"),
            (.json(containing: #"{"done":false}"#), nil),
            (.json(containing: #"{"tags":["a"]}"#), "body.tags is 2, not 1 elements"),
            (.json(containing: #"{"tags":["a","c"]}"#), "body.tags[1] is “b”, not “c”"),
            (.json(["title": "T"]), "body.done is false, not nothing"),
            (.json("nonsense"), "body is bytes, not what the stub gives, which is not JSON"),
            (.form(["title": "T"]), "form field “title” is missing, not “T”"),
            (.empty, "body is 62 bytes, not nothing"),
            (.data(Data("x".utf8)), "body is 62 others, not 1 bytes"),
            (.matching("long") { $0.count > 10 }, nil),
        ] as [(BodyPattern, String?)]
    )
    func `A stub's body pattern accepts a matching body, or names the first difference`(
        pattern: BodyPattern,
        mismatch: String?
    )
        async
    {
        #expect(await mismatches(call()) { $0.on(body: pattern) } == mismatch.map { [$0] })
    }

    /// Numbers are compared by their exact values, with any number of digits.
    @Test(arguments: [
        ("1e200", "1e200", true), ("1e200", "1E+200", true), ("5e-324", "5e-324", true),
        ("1.7976931348623157e308", "1.7976931348623157e308", true), ("1e99999", "10e99998", true),
        ("12345678901234567890123456789012345678901", "12345678901234567890123456789012345678901", true),
        ("12345678901234567890123456789012345678901", "12345678901234567890123456789012345678902", false),
        ("0.1", "0.10", true), ("0.1", "0.10000000000000001", false), ("100", "1e2", true), ("-0", "0", true),
        ("1", "-1", false), ("1e999999999999999999999", "2e999999999999999999999", false),
    ])
    func `A stub's JSON body pattern compares numbers exactly, with any number of digits`(
        wanted: String,
        sent: String,
        matches: Bool
    ) async {
        let call = call { $0.body = Data("{\"n\":\(sent)}".utf8) }
        #expect((await mismatches(call) { $0.on(body: .json("{\"n\": \(wanted)}")) } == nil) == matches)
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":}", "{\"a\" 1}", "{a:1}", "01", "1.", ".5", "+1", "1e", "tru", "nul", "\"",
        "\"\\x\"",
        "\"\\u12\"", "\"\\ud800\"", "\"\n\"", "1 2", "[1", "\u{FEFF}1", String(repeating: "[", count: 100_000),
    ])
    func `A stub's JSON body pattern does not match a body that is not valid JSON`(text: String) async {
        let call = call { $0.body = Data(text.utf8) }
        let found = await mismatches(call) { $0.on(body: .json("1")) }
        #expect(found == ["body is \(text.isEmpty ? "nothing" : "\(text.utf8.count) bytes"), not JSON"])
    }

    @Test(arguments: [
        (#""\u0061\n\ud83d\ude00\/""#, "\"a\\n😀/\""), (" [ true , false , null ] ", "[true,false,null]"),
        (#"{"a":1,"b":{}}"#, "{\"b\":{ },\n\"a\":1.0}"), ("\"ä\"", #""\u00e4""#), ("[]", "[ ]"),
    ])
    func `A stub's JSON body pattern matches regardless of escapes, blanks and key order`(one: String, other: String)
        async
    {
        for (wanted, sent) in [(one, other), (other, one)] {
            let call = call { $0.body = Data(sent.utf8) }
            #expect(await mismatches(call) { $0.on(body: .json(wanted)) } == nil)
        }
    }

    @Test func `A stub's form pattern matches the decoded fields of a form body`() async {
        let form = call { $0.body = Data("name=A+B%26&empty&x=1=2".utf8) }
        #expect(await mismatches(form) { $0.on(body: .form(["name": "A B&", "empty": "", "x": "1=2"])) } == nil)
    }

    @Test func `The stub that was added first answers when several stubs match`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/b").answer(.text("b"))
        stubs.on(.get, "/:x").answer(.text("any"))
        stubs.on(.get, "/a").optional().answer(.text("a"))
        try await stubs.run {
            #expect(await Call(.get, "/a").outcome() == .success("any"))
            #expect(await Call(.get, "/b").outcome() == .success("b"))
        }
    }

    /// A test can override the stubs of its suite. The last overriding stub wins.
    @Test func `The overriding stub that was added last answers before all other matching stubs`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/a").answer(.text("suite"))
        stubs.on(.get, "/b").answer(.text("suite b"))
        stubs.on(.get, "/a").overriding().answer(inOrder: .text("first"), then: .fallThrough)
        try await stubs.run {
            stubs.on(.get, "/:x", query: ["q": "1"]).overriding().optional().answer(.text("never"))
            #expect(await Call(.get, "/a").outcome() == .success("first"))
            #expect(await Call(.get, "/a").outcome() == .success("suite"))
            stubs.on(.get, "/**").overriding().answer(.text("last"))
            #expect(await Call(.get, "/a").outcome() == .success("last"))
            #expect(await Call(.get, "/b").outcome() == .success("last"))
        }
    }

    @Test
    func `A stub does not count as unused when a stub of an inner Stubs.run answered in its place`() async throws {
        let (outer, inner) = (Stubs(), Stubs())
        outer.on(.get, "/a").answer(.text("outer"))
        outer.on(.get, "/other").named("other").answer(.text("other"))
        inner.on(.get, "/a").answer(.text("inner"))
        let problems = await #expect(throws: StubProblems.self) {
            try await outer.run {
                let outcome = try await inner.run { await Call(.get, "/a").outcome() }
                #expect(outcome == .success("inner"))
            }
        }
        #expect(problems?.problems == [.unused(stub: "other")])
    }

    @Test func `A stub for QUERY answers its body, and is suggested for a QUERY without a stub`() async throws {
        let stubs = Stubs()
        stubs.on(.query, "/search", body: .json(["q": "a"])).optional().answer(.text("found"))
        func call(_ text: String) -> Call {
            let call = Call(.query, "/search")
            call.content = .json(["q": text])
            call.session = stubs
            return call
        }
        #expect(await call("a").outcome() == .success("found"))
        await #expect { try await call("b").value() } throws: { error in
            error.localizedDescription.hasSuffix(#"To answer it: stubs.on(.query, "/v1/search").answer(…)"#)
        }
    }

    @Test func `The error for a request without a stub has the template of its path, and so has the call`() async {
        let stubs = Stubs()
        stubs.on(.get, "/authors/{id}").optional().answer(.status(200))
        let call = Call(.get, "/users/7")
        call.pathTemplate = "/users/{id}"
        call.session = stubs
        await #expect { try await call.value() } throws: { error in
            error.localizedDescription == """
                No stub answers GET https://api.example/v1/users/7 (/users/{id}). The nearest:
                  “GET /authors/{id}”: path is /users/7, not /authors/{id}
                To answer it: stubs.on(.get, "/v1/users/7").answer(…)
                """
        }
        #expect(stubs.calls.map(\.pathTemplate) == ["/users/{id}"])
    }

    @Test func `The error for a request without a stub lists the nearest stubs and suggests a new stub`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/users/:id", query: ["page": "1"]).named("one user").answer(.status(200))
        stubs.on(.post, "/todos").answer(.status(200))
        stubs.on(.get, "/posts", headers: ["X-A": .any]).answer(.status(200))
        stubs.on(.get, "/users/7/posts").answer(.status(200))
        let call = Call(.get, "/users/7")
        call.session = stubs
        await #expect { try await call.value() } throws: { error in
            error.localizedDescription == """
                No stub answers GET https://api.example/v1/users/7. The nearest:
                  “one user”: query item “page” is missing, not “1”
                  “GET /users/7/posts”: path is /users/7, not /users/7/posts
                  “POST /todos”: method is GET, not POST; path is /users/7, not /todos
                To answer it: stubs.on(.get, "/v1/users/7").answer(…)
                """
        }
        // One problem for the request, and one for each stub.
        #expect(stubs.problems.count == 5)
        #expect(Stubs().problems.isEmpty)
        #expect(throws: StubProblems.self) { try stubs.verify() }
    }
}
