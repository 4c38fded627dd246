/// The reason why a stored reply answers a call.
public enum CacheUse: Sendable, Hashable {
    /// It is fresh. Nothing was sent.
    case fresh
    /// It is stale, and the call, the reply or the failure of the server allow its use.
    case stale
    /// The server has said that it still holds.
    case validated
}
