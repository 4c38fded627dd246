import Basics
import Foundation
import HTTPTransport

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

extension APIBase {
    /// Adds the key, unless the request has one.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a key that is empty or cannot be sent.
    func addIdempotencyKey(to request: inout URLRequest) throws {
        let header = IdempotencyKey.header
        guard let key = request.value(forHTTPHeaderField: header) ?? idempotencyKeyText(for: request) else { return }
        guard !key.isEmpty else {
            throw RequestError.invalidRequest(InvalidRequest(.headerValue(name: header), .missing))
        }
        try request.add(header, key)
    }

    private func idempotencyKeyText(for request: URLRequest) -> String? {
        switch idempotencyKey {
        case nil: return nil
        case .value(let key): return key
        case .automatic:
            guard ["POST", "PATCH"].contains(request.httpMethod ?? "GET") else { return nil }
            return lastAttempt.withLock { attempt in
                let key = attempt.idempotencyKey ?? UUID().uuidString
                attempt.idempotencyKey = key
                return key
            }
        }
    }
}

extension URLRequest {
    /// Whether the server can know the request by a key.
    var hasIdempotencyKey: Bool { value(forHTTPHeaderField: IdempotencyKey.header)?.isEmpty == false }
}
