/// A call of one GraphQL operation. Only leaf classes conform to it.
///
/// Its `ModelType` is what `data` holds: a `Decodable`, `Data` for the bytes of `data`, or `Void`.
public protocol GraphQLRequest: Request where Self: GraphQLAPI {
    /// The document: an operation and its fragments.
    static var query: String { get }

    /// The name of the operation, by default that of the first one in the ``query``; `nil` for one without a name.
    ///
    /// A leaf whose document has several operations names one of them.
    static var operationName: String? { get }
}

extension GraphQLRequest {
    /// The name of the first operation in the ``query``: the one after `query`, `mutation` or `subscription`.
    public static var operationName: String? { GraphQLDocument.operations(in: query).first?.name }
}

extension GraphQLRequest where ModelType == Void, Failure == any Error {
    /// The call. It gives a value when the response has no errors, and ignores `data`.
    public func start() -> AnyPublisher<Void, any Error> {
        sendRequest().mapResponses { [self] reply in _ = try model(GraphQLReply.Anything.self, of: reply) }
    }
}

extension GraphQLRequest where ModelType == Data, Failure == any Error {
    /// The call. Its value is the bytes of `data`, not decoded.
    public func start() -> AnyPublisher<Data, any Error> {
        sendRequest().mapResponses { [self] reply in
            _ = try model(GraphQLReply.Anything.self, of: reply)
            return reply.data.value(ofMember: "data") ?? Data()
        }
    }
}
