import Basics
import Foundation
import HTTPTransport

/// The header `Idempotency-Key`, by which a server knows a request that it has seen before
/// (draft-ietf-httpapi-idempotency-key-header): with it, `POST` and `PATCH` can be tried again.
public enum IdempotencyKey: Sendable, Hashable {
    /// A random key (a UUID), made at the first attempt of a request object, and the same for all its attempts, also behind
    /// `.retry`. Sent with `POST` and `PATCH` only.
    case automatic
    /// This key, sent with every method.
    case value(String)

    static let header = "Idempotency-Key"
}

extension APIBase {
    /// Adds the key, unless the request has one.
    func addIdempotencyKey(to request: inout URLRequest) throws {
        guard let idempotencyKey, request.value(forHTTPHeaderField: IdempotencyKey.header) == nil else { return }
        switch idempotencyKey {
        case .value(let key): try request.add(IdempotencyKey.header, key)
        case .automatic:
            guard ["POST", "PATCH"].contains(request.httpMethod ?? "GET") else { return }
            let key = lastAttempt.withLock { attempt in
                let key = attempt.idempotencyKey ?? UUID().uuidString
                attempt.idempotencyKey = key
                return key
            }
            try request.add(IdempotencyKey.header, key)
        }
    }
}
