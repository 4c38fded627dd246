extension Request where Self: JSONAPI, ModelType: Decodable, Failure == any Error {
    /// The call. Its value is the decoded body of the reply, as ``JSONAPI/decoded(_:)`` has it.
    @inlinable public func start() -> AnyPublisher<ModelType, any Error> { decoded(ModelType.self) }
}

extension Request where Self: JSONAPI, ModelType == Void, Failure == any Error {
    /// The call. Its value says that the reply was accepted, whatever is in it.
    @inlinable public func start() -> AnyPublisher<Void, any Error> { sendRequest().mapReplies { _ in } }
}

extension Request where Self: JSONAPI, ModelType == Data, Failure == any Error {
    /// The call. Its value is the body of the reply as it came, not decoded.
    @inlinable public func start() -> AnyPublisher<Data, any Error> { sendRequest().mapReplies { $0.data } }
}
