/// The header `Idempotency-Key`, by which a server knows a request that it has seen before
/// (draft-ietf-httpapi-idempotency-key-header): with it, `POST` and `PATCH` can be tried again.
///
/// An empty one makes the request fail to build, also as a header: no server could tell two orders apart by it.
public enum IdempotencyKey: Sendable, Hashable {
    /// A random key (a UUID), made at the first attempt of a request object, and the same for all its attempts, also behind
    /// `.retry`. Sent with `POST` and `PATCH` only.
    case automatic
    /// This key, sent with every method.
    case value(String)

    static let header = "Idempotency-Key"
}

extension URLRequest {
    /// Whether the server can know the request by a key.
    var hasIdempotencyKey: Bool { value(forHTTPHeaderField: IdempotencyKey.header)?.isEmpty == false }
}
