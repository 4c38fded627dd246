// swift-format-ignore-file
// The samples of the article on replicas, in its order.

import APIBaseTesting

// sample x
/// What the client of a store has to do.
nonisolated protocol KeyValueStore: Sendable {
    func value(of key: String) async throws -> Data?
    /// Sets a value, if the present one is still `old`, and returns whether it was. It goes after `lifetime`.
    func set(_ key: String, _ old: Data?, to new: Data?, for lifetime: Duration?) async throws -> Bool
}
// end

// sample x
nonisolated struct StoredTokens: TokenStore {
    let store: any KeyValueStore
    let key: String

    func load() async throws -> StoredToken? {
        try await store.value(of: key).map { try JSONDecoder().decode(StoredToken.self, from: $0) }
    }

    func replace(_ old: StoredToken?, with new: StoredToken) async throws -> StoredToken {
        let present = try await store.value(of: key)
        let token = try present.map { try JSONDecoder().decode(StoredToken.self, from: $0) }
        if let token, token != old { return token }                     // another replica was first
        if token == nil, old != nil { throw CancellationError() }       // signed out
        if try await store.set(key, present, to: JSONEncoder().encode(new), for: nil) { return new }
        return try await replace(old, with: new)
    }

    func exclusively<R>(_ body: () async throws -> R) async throws -> R {
        let (lock, owner) = (key + ":lock", Data(UUID().uuidString.utf8))
        while try await !store.set(lock, nil, to: owner, for: .seconds(90)) {
            try await Task.sleep(for: .milliseconds(50))
        }
        let result: Result<R, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        _ = try? await store.set(lock, owner, to: nil, for: nil)        // if it fails, the lock ends by itself
        return try result.get()
    }

    func removeAll() async throws {
        while try await !store.set(key, store.value(of: key), to: nil, for: nil) {}
    }
}
// end

// sample x
nonisolated struct StoredResponses: ResponseStorage {
    let store: any KeyValueStore

    /// The key for a response. It has two generations: all responses go with the first, those of a URL with the second.
    private func name(of key: ResponseKey) async throws -> String {
        let all = try await store.value(of: "responses") ?? Data()
        let url = try await store.value(of: "responses:\(key.url)") ?? Data()
        return "responses:\(key.url):\(key.user):\((all + url).base64EncodedString())"
    }

    func data(for key: ResponseKey) async throws -> Data? { try await store.value(of: name(of: key)) }
    func store(_ data: Data, for key: ResponseKey) async throws { try await set(name(of: key), data, .seconds(86_400)) }
    func removeAll(for url: ResponseKey.URLDigest) async throws { try await set("responses:\(url)", .random) }
    func removeAll() async throws { try await set("responses", .random) }

    private func set(_ name: String, _ new: Data, _ lifetime: Duration? = nil) async throws {
        while try await !store.set(name, store.value(of: name), to: new, for: lifetime) {}
    }
}

nonisolated extension Data {
    fileprivate static var random: Data { Data(UUID().uuidString.utf8) }
}
// end

// sample x
nonisolated struct StoredLimits: SharedLimiter {
    let store: any KeyValueStore

    /// The generic cell rate algorithm. What is stored is when the next call would come at a steady rate.
    func wait(for key: String, limit: RateLimit.Policy, now: Date) async throws -> Duration {
        let window = limit.window / .seconds(1)
        let (interval, time) = (window / Double(limit.quota), now.timeIntervalSince1970)
        while true {
            let present = try await store.value(of: key)
            let arrival = max(time, present.flatMap { Double(String(decoding: $0, as: UTF8.self)) } ?? 0)
            let start = max(time, arrival - window + interval)
            let next = Data("\(arrival + interval)".utf8)
            if try await store.set(key, present, to: next, for: .seconds(arrival - time + window)) {
                return .seconds(start - time)
            }
        }
    }
}
// end

// sample x
class RatesAPI: JSONAPI {
    override class var baseURLs: [URL] {
        ["https://eu.rates.example/v1", "https://us.rates.example/v1"].compactMap { URL(string: $0) }
    }

    override func configure() {
        super.configure()
        failover = Failover(failures: 3, restsFor: .seconds(30))
        hedge = .after(percentile: 95)
        retry = .standard
    }

    override func report(_ event: CallEvent) {
        super.report(event)
        if case .noted(let call, let note) = event { print("\(call.name): \(note)") }
    }
}
// end
