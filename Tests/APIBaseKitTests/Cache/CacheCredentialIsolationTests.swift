import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// Whose reply a cache gives to whom, and what of them its files have.
@Suite(.limited) struct CacheCredentialIsolationTests {
    private static let canary = "canary4711"

    /// A server that numbers its replies, and says who has asked.
    private final class Counting: Sendable {
        let count = Locked(0)
        let server: HTTPServer

        init(_ headers: [String: String] = [:]) throws {
            let count = count
            server = try HTTPServer { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                var fields = HTTPFields(["Cache-Control": "max-age=600"])
                for (name, value) in headers { fields[name] = value }
                return .text("\(number)", headers: fields)
            }
        }

        deinit { server.stop() }

        func value(_ cache: ResponseCache, _ change: (CachedCall) -> Void = { _ in }) async throws -> String {
            let call = CachedCall(base: "http://127.0.0.1:\(server.port)", cache)
            change(call)
            return try await call.value()
        }
    }

    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("callers-\(UUID().uuidString)")
        deinit { try? FileManager.default.removeItem(at: url) }

        /// Everything in it, and the names of the files.
        var contents: String {
            let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
            return (files?.allObjects ?? []).compactMap { $0 as? URL }.map { file in
                let data = (try? Data(contentsOf: file)) ?? Data()
                return "\(file.path)\n\(String(decoding: data, as: UTF8.self))"
            }.joined(separator: "\n")
        }
    }

    @Test(arguments: Credential.all, [false, true])
    func `A stored response does not answer a call with other credentials; cache files hold no secret`(
        credential: Credential,
        isInFiles: Bool
    ) async throws {
        let (server, folder) = (try Counting(["Vary": "Authorization, Cookie, X-Books-Key"]), Folder())
        let cache = isInFiles ? ResponseCache(FolderStorage(folder.url)) : ResponseCache()
        let replies = [
            try await server.value(cache) { credential.apply($0, "\(Self.canary)-a") },
            try await server.value(cache) { credential.apply($0, "\(Self.canary)-b") },
            try await server.value(cache),
        ]
        #expect(replies == ["1", "2", "3"])
        guard isInFiles else { return }
        #expect(folder.contents.contains("APIBaseKit replies"))
        for secret in [Self.canary, Data("me:\(Self.canary)-a".utf8).base64EncodedString()] {
            #expect(!folder.contents.contains(secret))
        }
    }

    @Test func `Cache files contain neither path nor query nor headers of the request`() async throws {
        let (server, folder) = (try Counting(["Vary": "Cookie, X-Open"]), Folder())
        let cache = ResponseCache(FolderStorage(folder.url))
        let call = { (call: CachedCall) in
            call.path = "/\(Self.canary)"
            call.queryItems = [URLQueryItem(name: "access_token", value: Self.canary)]
            call.headers["Cookie"] = "sid=\(Self.canary)"
            call.headers["X-Open"] = Self.canary
        }
        let replies = [try await server.value(cache, call), try await server.value(cache, call)]
        #expect(replies == ["1", "1"])
        #expect(folder.contents.contains("APIBaseKit replies"))
        #expect(!folder.contents.contains(Self.canary))
    }

    /// Files of the version before had credentials in them.
    @Test func `Cache files of format v1 are removed when their folder is used`() async throws {
        let (server, folder) = (try Counting(), Folder())
        let old = folder.url.appendingPathComponent("v1/ab/abc")
        try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
        try Data(Self.canary.utf8).write(to: old.appendingPathComponent("user"))
        _ = try await server.value(ResponseCache(FolderStorage(folder.url)))
        #expect(!folder.contents.contains("/v1"))
        #expect(folder.contents.contains("APIBaseKit replies"))
    }

    // MARK: Tokens

    private func source(_ tokens: Locked<Int>, identity: String? = nil) -> TokenSource {
        TokenSource(identity: identity) { _ in
            let number = tokens.withLock { tokens in
                tokens += 1
                return tokens
            }
            // Expired at once: each call renews it.
            return Token("token-\(number)", expiresAt: Date())
        }
    }

    @Test func `A stored response still answers calls of its token source when the token is renewed`() async throws {
        let (server, tokens) = (try Counting(), Locked(0))
        let (cache, source) = (ResponseCache(), source(tokens))
        for _ in 0..<3 {
            let reply = try await server.value(cache) { $0.authorization = .tokens(source) }
            #expect(reply == "1")
        }
        #expect(tokens.withLock { $0 } == 3)
        let other = self.source(tokens)
        let reply = try await server.value(cache) { $0.authorization = .tokens(other) }
        #expect(reply == "2")
    }

    @Test func `A response with Vary: Authorization does not answer a call with a renewed token`() async throws {
        let (server, tokens) = (try Counting(["Vary": "Authorization"]), Locked(0))
        let (cache, source) = (ResponseCache(), source(tokens))
        for number in ["1", "2"] {
            let reply = try await server.value(cache) { $0.authorization = .tokens(source) }
            #expect(reply == number)
        }
    }

    @Test
    func `A stored response answers a new token source with the same identity in a new cache on its folder`()
        async throws
    {
        let (server, folder, tokens) = (try Counting(), Folder(), Locked(0))
        func value(_ identity: String?) async throws -> String {
            let (cache, source) = (ResponseCache(FolderStorage(folder.url)), source(tokens, identity: identity))
            return try await server.value(cache) { $0.authorization = .tokens(source) }
        }
        let replies = [
            try await value("a"), try await value("a"), try await value("b"), try await value(nil),
            try await value(nil),
        ]
        #expect(replies == ["1", "1", "2", "3", "4"])
    }

    /// A program is one caller, whichever of its sources it asks with; with another scope it is another.
    @Test func `Client credentials sources share stored responses if client id and scope are equal`() async throws {
        let (server, cache) = (try Counting(), ResponseCache())
        let endpoint = try HTTPServer { _ in
            let reply = #"{"access_token":"\#(UUID().uuidString)","token_type":"bearer"}"#
            return ServerResponse(
                headers: HTTPFields(["Content-Type": "application/json"]),
                body: .data(Data(reply.utf8))
            )
        }
        defer { endpoint.stop() }
        let url = try #require(URL(string: "http://127.0.0.1:\(endpoint.port)/token"))
        func value(_ id: String, _ scope: String?) async throws -> String {
            let source = TokenSource.clientCredentials(at: url, id: id, secret: "s", scope: scope)
            return try await server.value(cache) { $0.authorization = .tokens(source) }
        }
        let replies = [
            try await value("a", "x"), try await value("a", "x"), try await value("a", "y"), try await value("b", "x"),
            try await value("a", nil),
        ]
        #expect(replies == ["1", "1", "2", "3", "4"])
    }

    /// Where `intercept` puts other credentials into the place of the token, those count.
    @Test func `Each Authorization header that intercept(_:next:) sets has stored responses of its own`() async throws {
        final class Signed: APIBase, Request {
            var signature: String?
            func start() -> AnyPublisher<String, any Error> {
                sendRequest().map { String(decoding: $0.data, as: UTF8.self) }.eraseToAnyPublisher()
            }
            override func intercept(
                _ request: URLRequest,
                next: @escaping (URLRequest) -> AnyPublisher<StreamedReply, any Error>
            ) -> AnyPublisher<StreamedReply, any Error> {
                var request = request
                if let signature { request.setValue(signature, forHTTPHeaderField: "Authorization") }
                return super.intercept(request, next: next)
            }
        }
        let (server, cache) = (try Counting(), ResponseCache())
        let source = TokenSource(Token("t")) { _ in Token("t") }
        var replies: [String] = []
        for signature in [nil, "a", "b", "a", nil] {
            let call = Signed()
            call.baseURL = URL(string: "http://127.0.0.1:\(server.server.port)")
            (call.cache, call.authorization, call.signature) = (cache, .tokens(source), signature)
            replies.append(try await call.value())
        }
        #expect(replies == ["1", "2", "3", "2", "1"])
    }
}
