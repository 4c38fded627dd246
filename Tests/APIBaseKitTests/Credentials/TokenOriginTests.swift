import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// The shop of one customer: it issues tokens of its own, and keeps what it is sent.
private final class Shop: Sendable {
    let seen = Locked<[String]>([])
    let server: HTTPServer

    init(_ name: String) throws {
        let (seen, count) = (seen, Locked(0))
        server = try HTTPServer { request in
            if request.path == "/login" {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return .json(Data("\"\(name)\(number)\"".utf8))
            }
            let token = request.headers.values(for: "Authorization").first ?? "none"
            seen.withLock { $0.append(token) }
            let isCurrent = token == "Bearer \(name)\(count.withLock { $0 })"
            return .json(Data("\"\(token)\"".utf8), status: isCurrent ? 200 : 401)
        }
    }
}

private class ShopAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://shop.invalid") }
}

private final class LoginRequest: ShopAPI, Request {
    typealias ModelType = String
    override init() { super.init(.post("/login")) }
}

private final class OrdersRequest: ShopAPI, Request {
    typealias ModelType = String

    init(_ source: TokenSource) {
        super.init(.get("/orders"))
        authorization = .tokens(source)
    }
}

/// A call that goes to another server than the one it was made for.
private final class DivertedCall: APIBase, Request {
    private let other: URL

    init(_ base: URL, to other: URL, _ source: TokenSource) {
        self.other = other
        super.init()
        (baseURL, authorization) = (base, .tokens(source))
    }

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        var request = request
        request.url = other
        return super.intercept(request, next: next)
    }

    func start() -> AnyPublisher<Int, any Error> { sendRequest().map(\.response.statusCode).eraseToAnyPublisher() }
}

/// Which server a token goes to.
@Suite(.tags(.concurrent), .everySession, .limited) struct TokenOriginTests {
    private func call(_ base: String?, _ path: String = "", _ source: TokenSource) -> Call {
        let call = Call(base: base, path)
        call.session = EverySession.current
        call.authorization = .tokens(source)
        return call
    }

    /// The refresh is a call of the same API, which goes where the call goes that waits for it.
    @Test func `A token refreshed for one server is not sent to another server`() async throws {
        let shops = try [Shop("a"), Shop("b")]
        defer { for shop in shops { shop.server.stop() } }
        let source = TokenSource { _ in Token(try await LoginRequest().value()) }
        for turn in 0..<6 {
            let shop = shops[turn % 2]
            let token = try await ShopAPI.withBaseURL(shop.server.url) { try await OrdersRequest(source).value() }
            #expect(token == "Bearer \(turn % 2 == 0 ? "a" : "b")1")
        }
        for (shop, token) in zip(shops, ["Bearer a1", "Bearer b1"]) {
            #expect(shop.seen.withLock { $0 } == Array(repeating: token, count: 3))
        }
    }

    @Test func `A hundred concurrent calls to two servers refresh the token once for each server`() async throws {
        let shops = try [Shop("a"), Shop("b")]
        defer { for shop in shops { shop.server.stop() } }
        let (source, refreshes) = (Locked<TokenSource?>(nil), Locked(0))
        let haveWaited = Locked(false)
        let own = TokenSource { _ in
            refreshes.withLock { $0 += 1 }
            // All calls wait by then, though those of the other server may have their token already.
            let areWaiting = try await holds {
                let areAllThere = source.withLock { $0?.waiterCount ?? 0 } == 100
                return haveWaited.withLock { haveWaited in
                    haveWaited = haveWaited || areAllThere
                    return haveWaited
                }
            }
            #expect(areWaiting)
            return Token(try await LoginRequest().value())
        }
        source.withLock { $0 = own }
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                let url = shops[number % 2].server.url
                group.addTask { try await ShopAPI.withBaseURL(url) { try await OrdersRequest(own).value() } }
            }
            for try await token in group { #expect(["Bearer a1", "Bearer b1"].contains(token)) }
        }
        #expect(refreshes.withLock { $0 } == 2)
        for (shop, token) in zip(shops, ["Bearer a1", "Bearer b1"]) {
            #expect(shop.seen.withLock { $0 } == Array(repeating: token, count: 50))
        }
        source.withLock { $0 = nil }
    }

    @Test func `The initial token of a TokenSource is sent only to the server of its first call`() async throws {
        let seen = Locked<[String: [String]]>([:])
        let servers = try (0..<2).map { index in
            try HTTPServer { request in
                seen.withLock { $0["\(index)", default: []].append(request.headers["Authorization"] ?? "none") }
                return .text("")
            }
        }
        defer { for server in servers { server.stop() } }
        let source = TokenSource(Token("first")) { old in
            #expect(old == nil)
            return Token("second")
        }
        for server in [servers[1], servers[0], servers[1]] {
            // An absolute URL is where the request goes.
            _ = try await call(nil, "\(server.url.absoluteString)/x", source).value()
        }
        #expect(seen.withLock { $0 } == ["1": ["Bearer first", "Bearer first"], "0": ["Bearer second"]])
    }

    /// A server is a scheme, a host and a port, and each scope of stubs begins anew.
    @Test
    func `A TokenSource has one token for each scheme, host and port, separately for each Stubs object`() async throws {
        let source = TokenSource(Token("first")) { _ in Token("another") }
        for _ in 0..<2 {
            let stubs = Stubs()
            stubs.on().answer(with: { .text($0.headers["Authorization"] ?? "none") })
            let tokens = try await stubs.run {
                var tokens: [String] = []
                for base in [
                    "https://a.example", "https://A.example:443/v1", "http://a.example", "https://a.example:8443",
                    "https://b.example",
                ] {
                    let call = Call(base: base, "/x")
                    call.authorization = .tokens(source)
                    tokens.append(String(decoding: try await call.value().data, as: UTF8.self))
                }
                return tokens
            }
            #expect(tokens == ["first", "first", "another", "another", "another"].map { "Bearer \($0)" })
        }
    }

    /// The other server has not seen the token, so its 401 does not refuse it.
    @Test func `A 401 from another server to which intercept diverts a call does not refresh the token`() async throws {
        let seen = Locked<[String]>([])
        let other = try HTTPServer { request in
            seen.withLock { $0.append(request.headers["Authorization"] ?? "none") }
            return .text("", status: 401)
        }
        defer { other.stop() }
        let source = TokenSource(Token("first")) { _ in
            Issue.record("The token was refreshed.")
            return Token("second")
        }
        let own = try #require(URL(string: "http://127.0.0.1:1"))
        let call = DivertedCall(own, to: other.url, source)
        call.session = EverySession.current
        #expect(try await call.value() == 401)
        #expect(seen.withLock { $0 } == ["none"])
    }
}
