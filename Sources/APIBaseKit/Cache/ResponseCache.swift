import Basics
import HTTPTransport

/// A private cache for the replies of an API, by the rules of RFC 9111.
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let cache = ResponseCache()
///
///     override init(_ endpoint: Endpoint) {
///         super.init(endpoint)
///         cache = Self.cache
///     }
/// }
/// ```
///
/// What a reply says of its age decides: fresh ones answer at once, stale ones are asked about with their `ETag` or
/// `Last-Modified`, and `stale-while-revalidate` and `stale-if-error` (RFC 5861) are kept. A call says what it wants with
/// `Cache-Control` in its headers, or with the `cachePolicy` of its request. A call with an unsafe method removes what is stored
/// for its URL. Replies behind redirects are not stored.
///
/// Calls with different credentials never share a reply: `Authorization`, `Cookie` and the other ``APIBase/secretHeaders`` are a
/// part of what a reply is found by. With ``Authorization/tokens(_:)`` it is the source and not its token, so a renewed token
/// finds what was stored with the one before; see ``TokenSource/init(_:identity:refresh:)``. Only a reply with
/// `Vary: Authorization` is found with no other token than its own, since the server says that it depends on that.
///
/// Whatever else says who is calling belongs to the secret headers, and sessions that say it themselves need caches of their
/// own. Under stubs, each of them has a memory of its own.
///
/// Of the request, a storage gets digests alone: of its URL, of its credentials, and of the headers that `Vary` names. The
/// reply, its headers and its body, is stored as the server has sent it, unless it says `no-store`.
///
/// The cache stands behind the ``APIBase/gate``: a call that has to wait there waits for a stored reply as well. A storage that
/// takes long delays the calls.
public final class ResponseCache: Sendable {
    private enum Place {
        case memory
        case storage(any ResponseStorage)
    }

    /// The bytes of one reply that a storage gets at most.
    private static let largestReply = 32 << 20

    private let place: Place
    private let memory: ScopedState<MemoryReplies>
    private let onFailure: @Sendable (any Error) -> Void
    private let isOff = Locked(false)
    private let background = ScopedState { BackgroundWork() }
    let removals = RemovalCounts()
    /// The bytes of a body that is worth recording.
    let largestBody: Int

    /// Creates a cache in memory.
    ///
    /// - Parameter bytes: How much it may take; what was not used for longest goes first. A reply may take a quarter of it.
    public init(bytes: Int = 16 << 20) {
        place = .memory
        memory = ScopedState { MemoryReplies(bytes: bytes) }
        onFailure = { _ in }
        largestBody = max(0, bytes / 4)
    }

    /// Creates a cache somewhere else: `ResponseCache(FolderStorage(folder))` is one in a folder, which processes may share.
    ///
    /// A storage that throws is not used any more: calls go on without the cache.
    ///
    /// - Parameters:
    ///   - storage: Where the replies are.
    ///   - onFailure: Called once, when the storage has thrown. By default it writes a line to the standard error.
    public init(
        _ storage: any ResponseStorage,
        onFailure: @escaping @Sendable (any Error) -> Void = { error in
            CallLog.standardError("The cache is off: \(error.localizedDescription)")
        }
    ) {
        place = .storage(storage)
        memory = ScopedState { MemoryReplies(bytes: 16 << 20) }
        self.onFailure = onFailure
        largestBody = Self.largestReply
    }

    /// Removes all replies.
    public func removeAll() async {
        guard case .storage(let storage) = place else { return memory.value(for: nil).removeAll() }
        await attempt { try await storage.removeAll() }
    }

    /// The background work for the calls of a scope: revalidations that go on when the calls are over.
    func background(of scope: AnyObject?) -> BackgroundWork { background.value(for: scope) }

    /// The replies for the calls of a scope.
    func shelf(of scope: AnyObject?) -> CacheShelf {
        if scope == nil, case .storage(let storage) = place { return .storage(storage, self) }
        return .memory(memory.value(for: scope))
    }

    /// Works with the storage; `nil` if that fails, or has failed before.
    fileprivate func attempt<Value>(_ work: () async throws -> Value) async -> Value? {
        guard !isOff.withLock({ $0 }) else { return nil }
        do { return try await work() } catch {
            // The call is over, not the storage.
            if error is CancellationError || Task.isCancelled { return nil }
            let isFirst = isOff.withLock { isOff in
                defer { isOff = true }
                return !isOff
            }
            if isFirst { onFailure(error) }
            return nil
        }
    }
}

/// The store of the replies for the calls of one scope.
enum CacheShelf: Sendable {
    case memory(MemoryReplies)
    case storage(any ResponseStorage, ResponseCache)

    /// The maximum number of replies to one URL and user, for different headers.
    private static let variants = 8

    /// The key by which replies are found. In a storage it is made of digests, which take time to compute.
    func key(_ key: ResponseKey) -> ResponseKey {
        guard case .storage = self else { return key }
        return ResponseKey(url: SHA256.hex(of: key.url), user: SHA256.hex(of: key.user))
    }

    /// Finds the replies, and goes on with them: at once if they are in memory.
    func withReplies<Output>(
        for key: ResponseKey,
        _ next: @escaping ([StoredReply]) -> AnyPublisher<Output, any Error>
    ) -> AnyPublisher<Output, any Error> {
        switch self {
        case .memory(let memory): return next(memory.replies(for: key))
        case .storage(let storage, let cache):
            return AnyPublisher.awaiting { await Self.replies(for: key, in: storage, cache) }
                .flatMap(next)
                .eraseToAnyPublisher()
        }
    }

    private static func replies(
        for key: ResponseKey,
        in storage: any ResponseStorage,
        _ cache: ResponseCache
    ) async -> [StoredReply] {
        let data = await cache.attempt { try await storage.data(for: key) }
        return data?.flatMap(StoredReplies.init)?.replies ?? []
    }

    /// Changes the replies, when the publisher is subscribed to. It gives nothing.
    func change<Output>(
        _ key: ResponseKey,
        _ change: @escaping @Sendable ([StoredReply]) -> [StoredReply]
    ) -> AnyPublisher<Output, any Error> {
        work { memory in
            memory.store(Self.limited(change(memory.replies(for: key))), for: key)
        } with: { storage, cache in
            let replies = Self.limited(change(await Self.replies(for: key, in: storage, cache)))
            await cache.attempt { try await storage.store(StoredReplies(replies).bytes, for: key) }
        }
    }

    /// Removes the replies to URLs, whoever they were for, when the publisher is subscribed to. It gives nothing.
    func removeAll<Output>(for urls: [URL]) -> AnyPublisher<Output, any Error> {
        let names = urls.map { ResponseKey.name(of: $0) }
        return work { memory in
            for name in names { memory.removeAll(for: name) }
        } with: { storage, cache in
            for name in names { await cache.attempt { try await storage.removeAll(for: SHA256.hex(of: name)) } }
        }
    }

    private func work<Output>(
        in memory: @escaping (MemoryReplies) -> Void,
        with storage: @escaping @Sendable (any ResponseStorage, ResponseCache) async -> Void
    ) -> AnyPublisher<Output, any Error> {
        switch self {
        case .memory(let replies):
            return Deferred { () -> Empty<Output, any Error> in
                memory(replies)
                return Empty()
            }
            .eraseToAnyPublisher()
        case .storage(let place, let cache):
            return AnyPublisher<Void, any Error>.awaiting { await storage(place, cache) }
                .flatMap { _ in Empty<Output, any Error>() }
                .eraseToAnyPublisher()
        }
    }

    /// The newest.
    private static func limited(_ replies: [StoredReply]) -> [StoredReply] {
        replies.count <= variants ? replies : Array(replies.sorted { $0.receivedAt > $1.receivedAt }.prefix(variants))
    }
}
