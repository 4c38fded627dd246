extension Subscribers {
    /// The end of a stream: normal, or with a failure.
    public enum Completion<Failure: Error> {
        /// The publisher finished normally.
        case finished
        /// The publisher stopped because of an error.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable {}

private enum CompletionKeys: String, CodingKey { case success, error }

extension Subscribers.Completion: Encodable where Failure: Encodable {
    /// Encodes under `success` whether this is `finished`, and under `error` the error, if there is one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CompletionKeys.self)
        switch self {
        case .finished:
            try container.encode(true, forKey: .success)
        case .failure(let error):
            try container.encode(false, forKey: .success)
            try container.encode(error, forKey: .error)
        }
    }
}

extension Subscribers.Completion: Decodable where Failure: Decodable {
    /// Decodes what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CompletionKeys.self)
        self =
            try container.decode(Bool.self, forKey: .success)
            ? .finished
            : .failure(try container.decode(Failure.self, forKey: .error))
    }
}

extension Subscribers.Completion {
    /// The completion with its error, if there is one, transformed.
    @inlinable func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> Subscribers.Completion<NewFailure> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure(transform(error))
        }
    }
}
