import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import TestTiers
import Testing

@Suite(.everySession, .limited) struct DigestTests {
    private func call(_ port: UInt16, _ authorization: Authorization, _ path: String = "/a?b=c") -> Call {
        let parts = path.split(separator: "?", maxSplits: 1)
        let call = Call(base: "http://127.0.0.1:\(port)", String(parts[0]))
        if parts.count > 1 { call.query = ["b": "c"] }
        call.session = EverySession.current
        call.authorization = authorization
        return call
    }

    @Test(arguments: [
        "", ", qop=\"auth\"", ", qop=\"auth\", algorithm=SHA-256", ", qop=\"auth\", algorithm=SHA-256-sess",
        ", qop=\"auth\", algorithm=MD5-sess", ", qop=\"auth-int\"", ", qop=\"auth,auth-int\", algorithm=SHA-256",
        ", qop=\"auth\", userhash=true, algorithm=SHA-256", ", qop=\"auth\", algorithm=SHA-512-256",
        ", qop=\"auth-int\", algorithm=SHA-512-256-sess",
    ])
    func `A digest call is challenged once, and again only after the server changes its nonce`(rest: String)
        async throws
    {
        let digest = DigestServer(rest)
        let server = try HTTPServer(handler: digest.answer)
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: digest.password)
        for _ in 0..<3 {
            let call = call(server.port, authorization)
            call.method = .post
            call.body = Data("body".utf8)
            #expect(try await call.value().response.statusCode == 200)
        }
        // Only the first is challenged.
        #expect(digest.statuses == [401, 200, 200, 200])
        digest.replace("nonce 2")
        #expect(try await call(server.port, authorization).value().response.statusCode == 200)
        #expect(digest.statuses.suffix(2) == [401, 200])
    }

    @Test func `A call sends a wrong digest password once and then ends with status 401`() async throws {
        let digest = DigestServer(", qop=\"auth\"")
        let server = try HTTPServer(handler: digest.answer)
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: "wrong")
        for _ in 0..<2 { #expect(try await call(server.port, authorization).value().response.statusCode == 401) }
        #expect(digest.statuses == [401, 401, 401, 401])
        #expect(digest.seen.withLock { $0.map(\.header.isEmpty) } == [true, false, true, false])
    }

    /// Each would be answered forever by a client that only obeys.
    @Test(arguments: [
        ("Digest realm=\"a\", nonce=\"n\", qop=\"auth\", stale=true", 2), ("Digest realm=\"a\"", 1), ("", 1),
        ("Digest realm=\"a\", nonce=\"n\", nonce=\"n\"", 1), ("Digest realm=\"a\", nonce=\"n\", algorithm=X", 1),
        ("Basic realm=\"a\", Digest realm=\"b\", nonce=\"n\", qop=\"auth\"", 2),
    ])
    func `A call sends at most one digest answer and ends with 401 when the server accepts none`(
        challenge: String,
        count: Int
    ) async throws {
        let requests = Locked(0)
        let server = try HTTPServer { _ in
            requests.withLock { $0 += 1 }
            return .text("", status: 401, headers: HTTPFields(["WWW-Authenticate": challenge]))
        }
        defer { server.stop() }
        let reply = try await call(server.port, .digest(user: "a", password: "b")).value()
        #expect(reply.response.statusCode == 401)
        #expect(requests.withLock { $0 } == count)
    }

    /// The answer is for one target, so a redirect gets one of its own, and another server none.
    @Test
    func `A redirect gets a digest answer for its own target, and one to another server gets none`() async throws {
        let digest = DigestServer(", qop=\"auth\"")
        let other = try HTTPServer { .text("\($0.headers.values(for: "Authorization"))") }
        defer { other.stop() }
        let server = try HTTPServer { request in
            guard request.path == "/away" || request.path == "/near" else { return digest.answer(request) }
            let target = request.path == "/near" ? "/end" : "http://127.0.0.1:\(other.port)/"
            return .text("", status: 302, headers: HTTPFields(["Location": target]))
        }
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: digest.password)
        #expect(try await call(server.port, authorization, "/a").value().response.statusCode == 200)
        #expect(try await call(server.port, authorization, "/near").value().response.statusCode == 200)
        #expect(digest.statuses == [401, 200, 200])
        #expect(try await call(server.port, authorization, "/away").value().data == Data("[]".utf8))
    }

    /// With `auth-int`, the answer is for the body, too, which a 303 drops.
    @Test(arguments: [303, 307, 308], [HTTPMethod.post, .query])
    func `A redirected POST or QUERY with qop=auth-int gets a digest answer for its new method and body`(
        status: Int,
        method: HTTPMethod
    ) async throws {
        let digest = DigestServer(", qop=\"auth-int\"")
        let server = try HTTPServer { request in
            guard request.path == "/near" else { return digest.answer(request) }
            return .text("", status: status, headers: HTTPFields(["Location": "/end"]))
        }
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: digest.password)
        #expect(try await call(server.port, authorization, "/a").value().response.statusCode == 200)
        let call = call(server.port, authorization, "/near")
        call.method = method
        call.content = .data(Data("body".utf8), type: "text/plain")
        #expect(try await call.value().response.statusCode == 200)
        #expect(digest.statuses == [401, 200, 200])
    }

    /// A body that is read once has no digest, so an answer cannot be made, and nothing is sent twice.
    @Test
    func `A stream body is not sent again after a digest challenge with auth-int, and the call gets 401`() async throws
    {
        let digest = DigestServer(", qop=\"auth-int\"")
        let server = try HTTPServer(handler: digest.answer)
        defer { server.stop() }
        let call = call(server.port, .digest(user: digest.user, password: digest.password))
        call.method = .post
        call.content = .stream(count: 4) { InputStream(data: Data("body".utf8)) }
        #expect(try await call.value().response.statusCode == 401)
        #expect(digest.statuses == [401])
    }

    /// A nonce that a response announces (`Authentication-Info`) needs no challenge.
    @Test func `The next digest call uses the nextnonce of Authentication-Info without a challenge`() async throws {
        let digest = DigestServer(", qop=\"auth\"")
        let server = try HTTPServer(handler: digest.answer)
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: digest.password)
        for number in 2...4 {
            digest.next.withLock { $0 = "nonce \(number)" }
            #expect(try await call(server.port, authorization).value().response.statusCode == 200)
        }
        #expect(digest.statuses == [401, 200, 200, 200])
        let sent = digest.seen.withLock { $0.map(\.header) }
        for (header, nonce) in zip(sent.dropFirst(), ["nonce 1", "nonce 2", "nonce 3"]) {
            #expect(header.contains("nonce=\"\(nonce)\", nc=00000001"), "\(header)")
        }
    }

    /// The key of a session is that of its first nonce, so a challenge has to come.
    @Test func `A digest nextnonce is not used with a -sess algorithm, so the next call is challenged`() async throws {
        let digest = DigestServer(", qop=\"auth\", algorithm=SHA-256-sess")
        let server = try HTTPServer(handler: digest.answer)
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: digest.password)
        digest.next.withLock { $0 = "nonce 2" }
        for _ in 0..<2 { #expect(try await call(server.port, authorization).value().response.statusCode == 200) }
        #expect(digest.statuses == [401, 200, 401, 200])
    }

    @Test(arguments: [
        "nextnonce=\"\"x", "nextnonce=\"ä\"", "nextnonce=\"a\", nextnonce=\"b\"", "nextnonce=\"a", "x",
        "nextnonce=\"\(String(repeating: "n", count: 5_000))\"",
    ])
    func `A malformed or too long digest nextnonce is ignored, and the present nonce is used`(field: String)
        async throws
    {
        let digest = DigestServer(", qop=\"auth\"")
        let server = try HTTPServer { request in
            let answer = digest.answer(request)
            return answer.status == 200 ? .text("in", headers: HTTPFields(["Authentication-Info": field])) : answer
        }
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: digest.password)
        for _ in 0..<2 { #expect(try await call(server.port, authorization).value().response.statusCode == 200) }
        #expect(digest.statuses == [401, 200, 200])
    }

    /// Only requests for the paths that a challenge names are answered before they are asked. The others are answered
    /// as well, with the count that the same nonce has reached.
    @Test(arguments: [
        ("/a /b", "/b?b=c", true), ("/a", "/a/x", true), ("/a", "/other", false),
        ("http://other.example/", "/a", false),
    ])
    func `Only requests in the domain of a digest challenge get an answer before they are challenged`(
        domain: String,
        path: String,
        isCovered: Bool
    ) async throws {
        let digest = DigestServer(", qop=\"auth\", domain=\"\(domain)\"")
        let server = try HTTPServer(handler: digest.answer)
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: digest.password)
        #expect(try await call(server.port, authorization, "/a").value().response.statusCode == 200)
        #expect(try await call(server.port, authorization, path).value().response.statusCode == 200)
        #expect(digest.statuses == [401, 200] + (isCovered ? [200] : [401, 200]))
    }

    /// The answer is for one method, one target and one body, so it is made again for what `intercept` sends.
    @Test(arguments: [", qop=\"auth\"", ", qop=\"auth-int\""])
    func `A request that intercept(_:next:) changes gets a digest answer for the changed request`(rest: String)
        async throws
    {
        let digest = DigestServer(rest)
        let server = try HTTPServer(handler: digest.answer)
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: digest.password)
        for _ in 0..<2 {
            let call = WatchedCall(base: "http://127.0.0.1:\(server.port)")
            call.session = EverySession.current
            call.authorization = authorization
            call.around = { request, next in
                var request = request
                request.url = request.url.flatMap { URL(string: "\($0)/changed?by=intercept") }
                request.httpMethod = "PUT"
                request.httpBody = Data("changed".utf8)
                return next(request)
            }
            #expect(try await call.value() == 200)
        }
        #expect(digest.statuses == [401, 200, 200])
        #expect(digest.seen.withLock { $0.last?.header.contains("uri=\"/x/changed?by=intercept\"") } == true)
    }

    /// What `intercept` puts in place of the answer stays.
    @Test
    func `An Authorization header that intercept(_:next:) sets is not replaced by a digest answer`() async throws {
        let digest = DigestServer(", qop=\"auth\"")
        let server = try HTTPServer(handler: digest.answer)
        defer { server.stop() }
        let call = WatchedCall(base: "http://127.0.0.1:\(server.port)")
        call.session = EverySession.current
        call.authorization = .digest(user: digest.user, password: digest.password)
        call.around = { request, next in
            var request = request
            request.setValue("Own", forHTTPHeaderField: "Authorization")
            return next(request)
        }
        let error = await call.failure()
        guard case RequestError.httpFailure(401)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let headers = Set(digest.seen.withLock { $0.map(\.header) })
        #expect(headers == ["Own"])
    }

    @Test func `Streams and downloads answer a digest challenge and reuse its nonce`() async throws {
        let digest = DigestServer(", qop=\"auth\"")
        let server = try HTTPServer(handler: digest.answer)
        defer { server.stop() }
        let authorization = Authorization.digest(user: digest.user, password: digest.password)
        var lines: [String] = []
        for try await line in call(server.port, authorization).eachLine() { lines.append(line) }
        #expect(lines == ["in"])
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await call(server.port, authorization).downloaded(to: file)
        #expect(try Data(contentsOf: file) == Data("in".utf8))
        #expect(digest.statuses == [401, 200, 200])
    }

    @Test func `A stubbed call answers a digest challenge, and the next call reuses its nonce`() async throws {
        let stubs = Stubs()
        let seen = Locked<[String?]>([])
        stubs.on().answer { request in
            let header = request.request.value(forHTTPHeaderField: "Authorization")
            seen.withLock { $0.append(header) }
            return header == nil
                ? .status(401, headers: ["WWW-Authenticate": "Digest realm=\"a\", nonce=\"n\", qop=\"auth\""])
                : .text("ok")
        }
        let authorization = Authorization.digest(user: "a", password: "b")
        for _ in 0..<2 {
            let call = Call()
            call.authorization = authorization
            _ = try await stubs.run { try await call.value() }
        }
        #expect(seen.withLock { $0.map { $0 == nil } } == [true, false, false])
    }

    @Test func `A digest authorization equals only its copies and does not print its password`() {
        let digest = Authorization.digest(user: "canary", password: "canary")
        let copy = digest
        #expect(digest == copy && digest != .digest(user: "canary", password: "canary"))
        var text = "\(digest) \(String(reflecting: digest))"
        dump(digest, to: &text)
        dump(digest.self as Any, to: &text)
        #expect(!text.contains("canary"))
    }
}
