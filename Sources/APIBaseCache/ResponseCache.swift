import Basics
import HTTPTransport

/// A private cache for the responses of an API (RFC 9111).
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let cache = ResponseCache()
///
///     override func configure() {
///         super.configure()
///         cache = Self.cache
///     }
/// }
/// ```
///
/// Fresh responses answer at once. Stale ones are validated with their `ETag` or `Last-Modified`.
/// `stale-while-revalidate` and `stale-if-error` (RFC 5861) are supported. A call says what it wants with
/// `Cache-Control` in its headers, or with the `cachePolicy` of its request. A call with an unsafe method removes what
/// is stored for its URL. Responses to redirected requests are not stored.
///
/// Calls with different credentials never share a response: `Authorization`, `Cookie` and the other
/// ``APIBase/secretHeaders`` are part of the key. With ``Authorization/tokens(_:)`` the source is part of the key and
/// not its token, so a renewed token finds what was stored with the previous one; see
/// ``TokenSource/init(_:identity:servers:within:refresh:)``. Only a response with `Vary: Authorization` is bound to one
/// token.
///
/// Anything else that identifies the user belongs in the secret headers. A session that adds credentials itself needs
/// its own cache. Each scope of stubs has its own memory.
///
/// Of the request, a storage gets digests only: of its URL, its credentials, and the headers that `Vary` names. The
/// response is stored as the server sent it, headers and body, unless it says `no-store`.
///
/// The cache comes after the ``APIBase/gate``: a call that waits there waits for a stored response as well. A slow
/// storage delays the calls.
public final class ResponseCache: Sendable {
    private let storage: FaultTolerantStorage?
    private let memory: PerScope<MemoryResponses>
    private let revalidations = PerScope { RevalidationTasks() }
    let invalidations = InvalidationGenerations()
    /// The maximum size of a body that is stored, in bytes.
    let largestBody: Int

    /// Creates a cache in memory.
    ///
    /// - Parameter bytes: The limit of its size. The least recently used responses are removed first. One response may
    ///   take a quarter of it.
    public init(bytes: Int = 16 << 20) {
        storage = nil
        memory = PerScope { MemoryResponses(bytes: bytes) }
        largestBody = max(0, bytes / 4)
    }

    /// Creates a cache in a storage: `ResponseCache(FolderStorage(folder))` is one in a folder, which processes may
    /// share.
    ///
    /// Errors of the storage end no call: calls continue without the cache. After a failure to write, nothing is stored
    /// for a minute, and stored responses still answer. After a failure to read or to remove, nothing is read either. A
    /// response that could not be replaced is removed. What an unsafe method invalidates is removed at once in any
    /// case. If that fails, it is tried again before anything is read, so that this cache does not answer with it;
    /// other processes that share the storage may until then.
    ///
    /// - Parameters:
    ///   - storage: Where the responses are.
    ///   - onFailure: Called when reading, or writing, has failed, and not again until it has worked in between. By
    ///     default it writes a line to the standard error.
    public convenience init(
        _ storage: any ResponseStorage,
        onFailure: @escaping @Sendable (any Error) -> Void = { error in
            let line = "The cache is off for now: \(error.localizedDescription)\n"
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        }
    ) {
        self.init(storage, pause: .seconds(60), onFailure: onFailure)
    }

    /// Creates a cache that does not use its storage for `pause` after a failure.
    init(_ storage: any ResponseStorage, pause: Duration, onFailure: @escaping @Sendable (any Error) -> Void) {
        self.storage = FaultTolerantStorage(storage, pause: pause, onFailure: onFailure)
        memory = PerScope { MemoryResponses(bytes: 16 << 20) }
        largestBody = 32 << 20
    }

    /// Removes all responses.
    public func removeAll() async {
        guard let storage else { return memory.value(for: nil).removeAll() }
        await storage.removeAll()
    }

    /// The revalidations for the calls of a scope.
    func revalidations(of scope: AnyObject?) -> RevalidationTasks { revalidations.value(for: scope) }

    /// The store for the calls of a scope.
    func store(of scope: AnyObject?) -> CacheStore {
        if scope == nil, let storage { return .storage(storage) }
        return .memory(memory.value(for: scope))
    }
}

/// Counts the invalidations of URLs, so that a response to a request from before an invalidation is not stored after
/// it.
final class InvalidationGenerations: Sendable {
    /// URLs may share a count. Then a response may not be stored although it could be.
    private let counts = Locked([Int](repeating: 0, count: 256))

    func generation(of url: String) -> Int { counts.withLock { $0[Self.index(of: url)] } }
    func advance(_ url: String) { counts.withLock { $0[Self.index(of: url)] += 1 } }

    private static func index(of url: String) -> Int { Int(UInt(bitPattern: url.hashValue) % 256) }
}
