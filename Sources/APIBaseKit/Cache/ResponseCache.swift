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
/// finds what was stored with the one before; see ``TokenSource/init(_:identity:within:refresh:)``. Only a reply with
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
        case storage(RestingStorage)
    }

    /// The bytes of one reply that a storage gets at most.
    private static let largestReply = 32 << 20

    /// The time for which a storage that has failed rests.
    private static let rest = Duration.seconds(60)

    private let place: Place
    private let memory: PerScope<MemoryReplies>
    private let background = PerScope { BackgroundWork() }
    let removals = RemovalCounts()
    /// The bytes of a body that is worth recording.
    let largestBody: Int

    /// Creates a cache in memory.
    ///
    /// - Parameter bytes: How much it may take; what was not used for longest goes first. A reply may take a quarter of it.
    public init(bytes: Int = 16 << 20) {
        place = .memory
        memory = PerScope { MemoryReplies(bytes: bytes) }
        largestBody = max(0, bytes / 4)
    }

    /// Creates a cache somewhere else: `ResponseCache(FolderStorage(folder))` is one in a folder, which processes may share.
    ///
    /// What a storage throws ends no call: calls go on without the cache. After a failure to write, nothing is stored for a
    /// minute, and stored replies still answer; after a failure to read or to remove, the storage is not read either. What
    /// could not be replaced is removed. What an unsafe method makes invalid is removed at once all the same. If that fails,
    /// it is tried again before anything is read, so that this cache does not answer with it; other processes that share the
    /// storage may until then.
    ///
    /// - Parameters:
    ///   - storage: Where the replies are.
    ///   - onFailure: Called when reading, or writing, has failed, and not again until it has worked in between. By default
    ///     it writes a line to the standard error.
    public convenience init(
        _ storage: any ResponseStorage,
        onFailure: @escaping @Sendable (any Error) -> Void = { error in
            let line = "The cache is off for now: \(error.localizedDescription)\n"
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        }
    ) {
        self.init(storage, rest: Self.rest, onFailure: onFailure)
    }

    /// Creates a cache whose storage rests for that long after a failure.
    init(_ storage: any ResponseStorage, rest: Duration, onFailure: @escaping @Sendable (any Error) -> Void) {
        place = .storage(RestingStorage(storage, rest: rest, onFailure: onFailure))
        memory = PerScope { MemoryReplies(bytes: 16 << 20) }
        largestBody = Self.largestReply
    }

    /// Removes all replies.
    public func removeAll() async {
        guard case .storage(let storage) = place else { return memory.value(for: nil).removeAll() }
        await storage.removeAll()
    }

    /// The background work for the calls of a scope: revalidations that go on when the calls are over.
    func background(of scope: AnyObject?) -> BackgroundWork { background.value(for: scope) }

    /// The replies for the calls of a scope.
    func shelf(of scope: AnyObject?) -> CacheShelf {
        if scope == nil, case .storage(let storage) = place { return .storage(storage) }
        return .memory(memory.value(for: scope))
    }
}

/// The store of the replies for the calls of one scope.
enum CacheShelf: Sendable {
    case memory(MemoryReplies)
    case storage(RestingStorage)

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
        case .storage(let storage):
            return AnyPublisher.awaiting { await storage.replies(for: key) }
                .flatMap(next)
                .eraseToAnyPublisher()
        }
    }

    /// Changes the replies, when the publisher is subscribed to. It gives nothing.
    func change<Output>(
        _ key: ResponseKey,
        _ change: @escaping @Sendable ([StoredReply]) -> [StoredReply]
    ) -> AnyPublisher<Output, any Error> {
        work { memory in
            memory.store(Self.limited(change(memory.replies(for: key))), for: key)
        } with: { storage in
            await storage.change(key) { Self.limited(change($0)) }
        }
    }

    /// Removes the replies to URLs, whoever they were for, when the publisher is subscribed to. It gives nothing.
    func removeAll<Output>(for urls: [URL]) -> AnyPublisher<Output, any Error> {
        let names = urls.map { ResponseKey.name(of: $0) }
        return work { memory in
            for name in names { memory.removeAll(for: name) }
        } with: { storage in
            for name in names { await storage.removeAll(for: SHA256.hex(of: name)) }
        }
    }

    private func work<Output>(
        in memory: @escaping (MemoryReplies) -> Void,
        with storage: @escaping @Sendable (RestingStorage) async -> Void
    ) -> AnyPublisher<Output, any Error> {
        switch self {
        case .memory(let replies):
            return Deferred { () -> Empty<Output, any Error> in
                memory(replies)
                return Empty()
            }
            .eraseToAnyPublisher()
        case .storage(let place):
            return AnyPublisher<Void, any Error>.awaiting { await storage(place) }
                .flatMap { _ in Empty<Output, any Error>() }
                .eraseToAnyPublisher()
        }
    }

    /// The newest.
    private static func limited(_ replies: [StoredReply]) -> [StoredReply] {
        replies.count <= variants ? replies : Array(replies.sorted { $0.receivedAt > $1.receivedAt }.prefix(variants))
    }
}
