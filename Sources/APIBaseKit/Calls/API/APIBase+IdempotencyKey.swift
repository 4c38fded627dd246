import Basics

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
