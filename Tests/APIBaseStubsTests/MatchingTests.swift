import APIBaseStubs
import JSONPlaceholder
import Testing

@Suite struct MatchingTests {
    private final class Special: Call, @unchecked Sendable {}

    private func call(_ change: (Call) -> Void = { _ in }) -> Call {
        let call = Call(.post, "/todos/7")
        call.queryItems = [URLQueryItem(name: "page", value: "2"), URLQueryItem(name: "flag", value: nil)]
        call.headers["X-Kind"] = "a b"
        call.body = Data(#"{"title": "T", "done": false, "tags": ["a", "b"], "size": 1.0}"#.utf8)
        change(call)
        return call
    }

    /// Whether the stub answers, and what is different if not.
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
    func paths(pattern: String, matches: Bool) async {
        let found = await mismatches(call()) { $0.on(.post, pattern) }
        #expect(found == (matches ? nil : ["path is /todos/7, not \(pattern)"]))
    }

    @Test func escapesOfAPathDoNotCount() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/a b/:name").answer { .text($0.parameters["name"] ?? "") }
        let call = Call(.get, "/a%20b/\(segment: "x/y z")")
        call.session = stubs
        #expect(await call.outcome() == .success("x/y z"))
    }

    @Test func aClassMeansItsSubclassesToo() async {
        #expect(await mismatches(call()) { $0.on(Call.self) } == nil)
        #expect(await mismatches(call()) { $0.on(APIBase.self) } == nil)
        #expect(await mismatches(call()) { $0.on(UsersRequest.self) } == ["class is Call, not UsersRequest"])
        #expect(await mismatches(call()) { $0.on(Special.self) } == ["class is Call, not Special"])
        let special = Special(.get, "/")
        #expect(await mismatches(special) { $0.on(Call.self) } == nil)
    }

    @Test func methodQueryAndHeadersHaveToFit() async {
        #expect(await mismatches(call()) { $0.on(.get) } == ["method is POST, not GET"])
        #expect(await mismatches(call()) { $0.on(query: ["page": "2", "flag": .any, "other": .absent]) } == nil)
        #expect(
            await mismatches(call()) { $0.on(query: ["page": "1", "other": "x"]) } == [
                "query item “other” is missing, not “x”", "query item “page” is “2”, not “1”",
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
    func bodies(pattern: BodyPattern, mismatch: String?) async {
        #expect(await mismatches(call()) { $0.on(body: pattern) } == mismatch.map { [$0] })
    }

    @Test func aFormIsReadByItsFields() async {
        let form = call { $0.body = Data("name=A+B%26&empty&x=1=2".utf8) }
        #expect(await mismatches(form) { $0.on(body: .form(["name": "A B&", "empty": "", "x": "1=2"])) } == nil)
    }

    @Test func theFirstThatFitsAnswers() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/b").answer(.text("b"))
        stubs.on(.get, "/:x").answer(.text("any"))
        stubs.on(.get, "/a").optional().answer(.text("a"))
        try await stubs.run {
            #expect(await Call(.get, "/a").outcome() == .success("any"))
            #expect(await Call(.get, "/b").outcome() == .success("b"))
        }
    }

    @Test func theMessageNamesTheNearestStubs() async throws {
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
                """
        }
        #expect(Stubs().problems.isEmpty)
        #expect(throws: StubProblems.self) { try stubs.verify() }
    }
}
