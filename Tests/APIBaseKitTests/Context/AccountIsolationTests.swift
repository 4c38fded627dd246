import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// An API whose server knows the customer by the host, a header and a token, all with the same number.
private class TenantAPI: JSONAPI {
    static let gate = CallGate(concurrent: 4)
    static let cache = ResponseCache(bytes: 64 << 20)
    static let tokens = TokenSource { _ in try await TenantToken().value().token }

    override func configure() {
        super.configure()
        retry = RetryPolicy(attempts: 4, deadline: nil)
        sharing = .safeMethods
        gate = Self.gate
        cache = Self.cache
        authorization = .tokens(Self.tokens)
    }
}

private final class TenantToken: TenantAPI, Request {
    struct ModelType: Decodable {
        var value: String
        var token: Token { Token(value, expiresAt: Date() + 0.05) }
    }
    override init() { super.init(.post("/token")) }
}

private final class TenantRequest: TenantAPI, Request {
    struct ModelType: Decodable { var tenant: String }
    init(_ path: String) { super.init(.get(EndpointPath(path))) }
}

/// The number of the customer in each part of a request, and what does not fit.
private final class Watch: Sendable {
    let leaks = Locked<[String]>([])
    let tokens = Locked(0)

    func tenant(_ call: StubbedCall) -> String {
        let tenant = call.headers["X-Tenant"] ?? "none"
        let token = call.headers["Authorization"] ?? "Bearer \(tenant) 0"
        // Ten customers share a host.
        let host = call.url?.host ?? ""
        if !token.hasPrefix("Bearer \(tenant) ") || host != "host-\((Int(tenant) ?? -1) / 10).example" {
            leaks.withLock { $0.append("\(tenant) at \(host): \(token)") }
        }
        return tenant
    }
}

@Suite(.tags(.concurrent), .timeLimit(.minutes(5))) struct AccountIsolationTests {
    private static let accounts = (0..<1_000).map { number in
        APIAccount(
            baseURL: URL(string: "http://host-\(number / 10).example"),
            headers: ["X-Tenant": "\(number)"]
        )
    }

    private func stubs(_ watch: Watch) -> Stubs {
        let stubs = Stubs()
        stubs.on(.post, "/token").answer { call in
            let number = watch.tokens.withLock {
                $0 += 1; return $0
            }
            return .json(["value": "\(watch.tenant(call)) \(number)"])
        }
        stubs.on(.get, "/cached").answer { call in
            .json(["tenant": watch.tenant(call)], headers: ["Cache-Control": "max-age=60"])
        }
        stubs.on(.get, "/validated").answer { call in
            let tag = "\"tag-\(watch.tenant(call))\""
            if let sent = call.headers["If-None-Match"], sent != tag {
                watch.leaks.withLock { $0.append("\(sent) for \(tag)") }
            }
            let headers = HTTPHeaders(["ETag": tag, "Cache-Control": "no-cache"])
            return call.headers["If-None-Match"] == tag
                ? .status(304, headers: headers) : .json(["tenant": watch.tenant(call)], headers: headers)
        }
        stubs.on(.get, "/refused").answer { call in
            // Every third token is refused, so that a refresh follows in the middle of other calls.
            let number = call.headers["Authorization"]?.split(separator: " ").last.flatMap { Int($0) } ?? 0
            return number % 3 == 0 ? .status(401) : .json(["tenant": watch.tenant(call)])
        }
        let attempts = Locked(0)
        stubs.on(.get, "/failing").answer { call in
            let fails = attempts.withLock {
                $0 += 1; return $0 % 2 == 0
            }
            return fails ? .status(503) : .json(["tenant": watch.tenant(call)])
        }
        stubs.on(.get, "/moved").answer { call in
            .status(302, headers: ["Location": "http://host-999.example/elsewhere?of=\(watch.tenant(call))"])
        }
        stubs.on(.get, "/elsewhere").answer { call in
            if call.headers["X-Tenant"] != nil || call.headers["Authorization"] != nil {
                watch.leaks.withLock { $0.append("after a redirect") }
            }
            return .json(["tenant": call.queryItem("of") ?? ""])
        }
        return stubs
    }

    /// The calls of each of 20 tasks.
    private static let count = runsAllTests && !isSanitized ? 200 : 6

    @Test func `Concurrent calls of 1,000 accounts do not mix tokens, headers or cached replies`() async throws {
        let watch = Watch()
        let stubs = stubs(watch)
        let paths = ["/cached", "/validated", "/refused", "/failing", "/moved"]
        let answered = Locked(0)
        let mixed = try await stubs.run {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<20 {
                    group.addTask {
                        var random = SystemRandomNumberGenerator()
                        var mixed = 0
                        for _ in 0..<Self.count {
                            // Some customers are asked for often, so that calls meet.
                            let number = Int.random(in: 0..<(Bool.random() ? 5 : 1_000), using: &random)
                            let account = Self.accounts[number]
                            let request = TenantRequest(paths.randomElement(using: &random) ?? "")
                            do {
                                let value =
                                    task % 2 == 0
                                    ? try await request.on(account).value()
                                    : try await TenantAPI.with(account) { try await request.value() }
                                if value.tenant != "\(number)" { mixed += 1 }
                                answered.withLock { $0 += 1 }
                            } catch RequestError.httpFailure {
                                // The server has refused two tokens, or failed four attempts, in a row.
                            }
                        }
                        return mixed
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(mixed == 0 && answered.withLock { $0 } > 10 * Self.count)
        #expect(watch.leaks.withLock { $0 } == [])
        #expect(watch.tokens.withLock { $0 } > Self.count)
    }
}
