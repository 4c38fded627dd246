import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Updates of resources with all sorts of tags, over sockets and with stubs.
@Suite(.everySession, .limited) struct UpdateTagTests {
    private final class Leaf: JSONAPI, Request {
        typealias ModelType = JSONValue

        init(_ url: URL?, _ session: any HTTPSession) {
            super.init(.get("/x"))
            (baseURL, self.session) = (url, session)
        }
    }

    /// The tag of a resource, and whether a change can be written on condition of it.
    static let tags: [(String, Bool)] = [
        ("\"a\"", true), ("\"\"", true), ("a", true), ("\"a", true), ("\"a\"b\"", true), ("\"*\"", true), ("-1", true),
        ("\"\(String(repeating: "x", count: 10_000))\"", true),
        ("W/\"a\"", false), ("W/", false), ("*", false), ("", false), ("\"\u{E9}\"", false),
    ]

    @Test(arguments: tags)
    func `Calling update() sends the ETag unchanged as If-Match, but throws missingETag for a weak one`(
        tag: String,
        isSent: Bool
    )
        async throws
    {
        let server = try ScriptedServer { request, connection, _ in
            let headers = ["Content-Type: application/json", "ETag: \(tag)"]
            try connection.write(reply("200 OK", headers, body: #"{"n":1}"#))
        }
        defer { server.stop() }
        let stubs = Stubs()
        stubs.on().answer(.json(#"{"n":1}"#, headers: ["ETag": tag]))
        for session in [EverySession.current, stubs] {
            let leaf = Leaf(server.url(""), session)
            if isSent {
                #expect(try await leaf.update { $0 = 2 } == ["n": 1])
            } else {
                await #expect(throws: RequestError.missingETag) { try await leaf.update { $0 = 2 } }
            }
        }
        let conditions = isSent ? [nil, tag] : [nil]
        #expect(server.requests.map { $0["If-Match"] } == conditions)
        #expect(stubs.calls.map { $0.headers["If-Match"] } == conditions)
    }

    /// The tags of FHIR and OData. One that a header cannot carry stays refused.
    @Test(arguments: [("W/\"a\"", true), ("W/\"\"", true), ("\"a\"", true), ("W/\"\u{E9}\"", false), ("", false)])
    func `Calling update(allowingWeakTags: true) sends a weak ETag unchanged as If-Match`(tag: String, isSent: Bool)
        async throws
    {
        let server = try ScriptedServer { request, connection, _ in
            let headers = ["Content-Type: application/json", "ETag: \(tag)"]
            try connection.write(reply("200 OK", headers, body: #"{"n":1}"#))
        }
        defer { server.stop() }
        let leaf = Leaf(server.url(""), EverySession.current)
        if isSent {
            #expect(try await leaf.update(allowingWeakTags: true) { $0 = 2 } == ["n": 1])
        } else {
            await #expect(throws: RequestError.missingETag) { try await leaf.update(allowingWeakTags: true) { $0 = 2 } }
        }
        #expect(server.requests.map { $0["If-Match"] } == (isSent ? [nil, tag] : [nil]))
    }

    /// A leaf whose own code sends a request again, which the retries of the class do not count.
    private final class Stubborn: JSONAPI, Request {
        typealias ModelType = [String]

        override func intercept(
            _ request: URLRequest,
            next: @escaping (URLRequest) -> ReplyPublisher
        ) -> ReplyPublisher {
            next(request).retry(1).eraseToAnyPublisher()
        }
    }

    @Test func `A write by update() that intercept(_:next:) retries after a lost reply is applied once`() async throws {
        let state = Locked((writers: ["first"], version: 1))
        let server = try ScriptedServer { request, connection, _ in
            try state.withLock { state in
                let isLost = state.version == 1
                if request.method == "PATCH" {
                    guard request["If-Match"] == "\"\(state.version)\"" else {
                        return try connection.write(reply("412 Precondition Failed"))
                    }
                    state.writers = try JSONDecoder().decode([String].self, from: Data(request.body))
                    state.version += 1
                    if isLost { return connection.close() }
                }
                let body = String(decoding: try JSONEncoder().encode(state.writers), as: UTF8.self)
                let headers = ["Content-Type: application/json", "ETag: \"\(state.version)\""]
                try connection.write(reply("200 OK", headers, body: body))
            }
        }
        defer { server.stop() }
        let leaf = Stubborn(.get("/x"))
        (leaf.baseURL, leaf.session) = (server.url(""), EverySession.current)
        #expect(try await leaf.update(method: .patch) { $0.append("me") } == ["first", "me"])
        #expect(state.withLock { $0.writers } == ["first", "me"])
    }
}
