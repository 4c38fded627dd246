import APIBaseTesting
import Basics
import TestTiers
import Testing

/// A store in memory.
private final class MemoryStore: KeyValueStore {
    private let values = Locked<[String: (data: Data, end: ContinuousClock.Instant?)]>([:])

    func value(of key: String) -> Data? { values.withLock { Self.value(of: key, in: $0) } }

    func set(_ key: String, _ old: Data?, to new: Data?, for lifetime: Duration?) -> Bool {
        values.withLock { values in
            guard Self.value(of: key, in: values) == old else { return false }
            values[key] = new.map { ($0, lifetime.map { .now + $0 }) }
            return true
        }
    }

    private static func value(
        of key: String,
        in values: [String: (data: Data, end: ContinuousClock.Instant?)]
    ) -> Data? {
        values[key].flatMap { $0.end.map { $0 > .now } ?? true ? $0.data : nil }
    }
}

@Suite(.tags(.concurrent), .limited) struct ReplicaSampleTests {
    private let store = MemoryStore()

    @Test func `Of many sources with the stored token, one refreshes it`() async throws {
        let refreshes = Locked(0)
        let tokens = StoredTokens(store: store, key: "user")
        _ = try await tokens.replace(nil, with: StoredToken("old", expiresAt: .distantPast, refreshToken: "first"))
        let sources = (0..<8).map { _ in
            TokenSource(
                store: tokens,
                refresh: { old in
                    #expect(old?.refreshToken == "first")
                    refreshes.withLock { $0 += 1 }
                    return StoredToken("new", expiresAt: .distantFuture, refreshToken: "second")
                }
            )
        }
        let stubs = Stubs()
        stubs.on(.get, "/x").answer(.json("{}"))
        try await stubs.run {
            try await withThrowingTaskGroup(of: Data.self) { group in
                for source in sources {
                    let account = APIAccount(authorization: .tokens(source))
                    group.addTask {
                        try await JSONAPI(.get("https://api.example/x")).call(Data.self).on(account).value()
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(stubs.calls.count == 8)
        #expect(stubs.calls.allSatisfy { $0.request.value(forHTTPHeaderField: "Authorization") == "Bearer new" })
        #expect(refreshes.withLock { $0 } == 1)
        try await tokens.removeAll()
        #expect(try await tokens.load() == nil)
    }

    @Test func `Responses are those of a URL and its user, until either generation ends`() async throws {
        let (one, other) = (StoredResponses(store: store), StoredResponses(store: store))
        let keys = ["a", "b"].flatMap { url in ["1", "2"].map { ResponseKey(url: url, user: $0) } }
        for key in keys { try await one.store(Data((key.url + key.user).utf8), for: key) }
        for key in keys { #expect(try await other.data(for: key) == Data((key.url + key.user).utf8)) }
        try await other.removeAll(for: "a")
        for key in keys { #expect(try await (one.data(for: key) == nil) == (key.url == "a")) }
        try await other.removeAll()
        for key in keys { #expect(try await one.data(for: key) == nil) }
    }

    @Test func `The quota passes at once, and then one call after another`() async throws {
        let limiter = StoredLimits(store: store)
        let (limit, now) = (RateLimit.Policy(quota: 4, window: .seconds(8)), Date())
        var waits: [Duration] = []
        for _ in 0..<6 { waits.append(try await limiter.wait(for: "api", limit: limit, now: now)) }
        #expect(waits.map { ($0 / .seconds(1)).rounded() } == [0, 0, 0, 0, 2, 4])
        let later = try await limiter.wait(for: "api", limit: limit, now: now + 100)
        #expect(later == .zero)
    }
}
