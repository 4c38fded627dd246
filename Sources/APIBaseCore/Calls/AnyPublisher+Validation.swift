import HTTPTransport

/// The checks for the publishers of ``APIBase/startRequest()`` and ``APIBase/sendRequest()``. Without other operators
/// in between, they use the kit's own response, so that Foundation's need not be made.
extension AnyPublisher where Output == APIBase.DataResponseTuple, Failure == any Error {
    /// Accepts responses with one of these status codes, as on any publisher of responses.
    public func validateStatusCode<Codes: Sequence>(in codes: Codes) -> AnyPublisher where Codes.Element == Int {
        checkingResponses { reply in
            guard codes.contains(reply.head.statusCode) else { throw RequestError.refusedStatus(of: reply.tuple) }
        }
    }

    /// Accepts responses of this media type, as on any publisher of responses.
    public func hasContentType(_ contentType: String) -> AnyPublisher {
        checkingResponses { try RequestError.refuseContentType(of: $0, unless: contentType) }
    }

    /// Accepts responses of one of these media types, as on any publisher of responses.
    public func hasContentType(in contentTypes: [String]) -> AnyPublisher {
        let ranges = contentTypes.map(MediaRange.init)
        return checkingResponses { try RequestError.refuseContentType(of: $0, unless: ranges) }
    }

    /// Maps responses to their bytes, `map(\.data)`, or to another part.
    public func map(_ keyPath: KeyPath<APIBase.DataResponseTuple, Data>) -> AnyPublisher<Data, any Error> {
        guard keyPath == \.data else { return map { $0[keyPath: keyPath] }.eraseToAnyPublisher() }
        return mapResponses(\.data)
    }
}
