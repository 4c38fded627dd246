import Basics

/// The stored responses for the calls of one scope, in memory or in a storage.
enum CacheStore: Sendable {
    case memory(MemoryResponses)
    case storage(FaultTolerantStorage)

    /// The maximum number of responses for one URL and user, with different headers.
    private static let variants = 8

    /// The key in this store. In a storage it is made of digests, which take time to compute.
    func key(_ key: ResponseKey) -> ResponseKey {
        guard case .storage = self else { return key }
        return ResponseKey(url: SHA256.hex(of: key.url), user: SHA256.hex(of: key.user))
    }

    /// Passes the stored responses to `next`; synchronously if they are in memory.
    func withResponses<Output>(
        for key: ResponseKey,
        _ next: @escaping ([StoredResponse]) -> AnyPublisher<Output, any Error>
    ) -> AnyPublisher<Output, any Error> {
        switch self {
        case .memory(let memory): next(memory.responses(for: key))
        case .storage(let storage):
            AnyPublisher.awaiting { await storage.responses(for: key) }.flatMap(next).eraseToAnyPublisher()
        }
    }

    /// Changes the stored responses when the publisher is subscribed to. It publishes no value.
    func change<Output>(
        _ key: ResponseKey,
        _ change: @escaping @Sendable ([StoredResponse]) -> [StoredResponse]
    ) -> AnyPublisher<Output, any Error> {
        work { memory in
            memory.store(Self.limited(change(memory.responses(for: key))), for: key)
        } with: { storage in
            await storage.change(key) { Self.limited(change($0)) }
        }
    }

    /// Removes the responses for URLs, of all users, when the publisher is subscribed to. It publishes no value.
    func removeAll<Output>(for urls: [URL]) -> AnyPublisher<Output, any Error> {
        let names = urls.map { ResponseKey.name(of: $0) }
        return work { memory in
            for name in names { memory.removeAll(for: name) }
        } with: { storage in
            for name in names { await storage.removeAll(for: SHA256.hex(of: name)) }
        }
    }

    private func work<Output>(
        in memory: @escaping (MemoryResponses) -> Void,
        with storage: @escaping @Sendable (FaultTolerantStorage) async -> Void
    ) -> AnyPublisher<Output, any Error> {
        switch self {
        case .memory(let responses):
            Deferred { () -> Empty<Output, any Error> in
                memory(responses)
                return Empty()
            }
            .eraseToAnyPublisher()
        case .storage(let place):
            AnyPublisher<Void, any Error>.awaiting { await storage(place) }
                .flatMap { _ in Empty<Output, any Error>() }
                .eraseToAnyPublisher()
        }
    }

    /// The most recent responses.
    private static func limited(_ responses: [StoredResponse]) -> [StoredResponse] {
        guard responses.count > variants else { return responses }
        return Array(responses.sorted { $0.head.receivedAt > $1.head.receivedAt }.prefix(variants))
    }
}
