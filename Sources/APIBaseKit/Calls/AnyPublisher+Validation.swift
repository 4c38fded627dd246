import HTTPTransport

/// The same checks for what ``APIBase/startRequest()`` and ``APIBase/sendRequest()`` return. Where nothing else stands in between,
/// they look at the reply as the kit has it: Foundation's response is made for those who ask for it.
extension AnyPublisher where Output == APIBase.DataResponseTuple, Failure == any Error {
    /// Lets replies with one of these status codes pass.
    ///
    /// - Parameter codes: The codes that pass: a range, a set, an array, or any other sequence that can be gone through
    ///   more than once.
    /// - Returns: A publisher that fails with ``RequestError/httpFailure(_:)`` for any other code. The failure has the
    ///   status, the headers and the body of the reply.
    public func validateStatusCode<Codes: Sequence>(in codes: Codes) -> AnyPublisher where Codes.Element == Int {
        checkingReplies { reply in
            guard codes.contains(reply.head.statusCode) else { throw RequestError.refusedStatus(of: reply.tuple) }
        }
    }

    /// Lets replies of this media type pass, and those without a body, whatever their type.
    ///
    /// - Parameter contentType: The media type, such as `application/json`. Parameters such as `charset` are ignored (RFC 9110,
    ///   section 8.3.1).
    /// - Returns: A publisher that fails with ``RequestError/contentTypeMismatch(expected:received:reply:)`` for another type
    ///   and for a reply that names none.
    public func hasContentType(_ contentType: String) -> AnyPublisher {
        checkingReplies { try RequestError.refuseContentType(of: $0, unless: contentType) }
    }

    /// Lets replies of one of these media types pass, and those without a body, whatever their type.
    ///
    /// - Parameter contentTypes: Media types, also with wildcards: `text/csv`, `image/*`; those with a suffix (RFC 6839),
    ///   `application/*+json`, or `+json` for short; and `*/*`, for a reply of any type, of none, or of one that cannot be read.
    /// - Returns: A publisher that fails with ``RequestError/contentTypeMismatch(expected:received:reply:)`` for another
    ///   type, and for a reply that names none.
    public func hasContentType(in contentTypes: [String]) -> AnyPublisher {
        let ranges = contentTypes.map(MediaRange.init)
        return checkingReplies { try RequestError.refuseContentType(of: $0, unless: ranges) }
    }

    /// The bytes of replies: `map(\.data)`.
    public func map(_ keyPath: KeyPath<APIBase.DataResponseTuple, Data>) -> AnyPublisher<Data, any Error> {
        guard keyPath == \.data else { return map { $0[keyPath: keyPath] }.eraseToAnyPublisher() }
        return mapReplies(\.data)
    }
}
