/// The way in which a stored response answers a call.
public enum CacheOutcome: Sendable, Hashable {
    /// It is fresh. Nothing was sent.
    case fresh
    /// It is stale, and the call, the response or a failure of the server allows its use.
    case stale
    /// The server has confirmed that it is still valid.
    case validated
}

/// The former name of ``CacheOutcome``.
@available(*, deprecated, renamed: "CacheOutcome")
public typealias CacheUse = CacheOutcome
