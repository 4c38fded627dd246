import HTTPTransport

/// A response whose body is delivered while it arrives.
public struct StreamedReply {
    private enum Source {
        case unclaimed(UnclaimedBody)
        case data(Data)
        case publisher(AnyPublisher<Data, any Error>)
        case events(AnyPublisher<ServerSentEvent, any Error>)
    }

    /// The status and the headers.
    public var response: HTTPURLResponse { head.httpURLResponse }
    package let head: ResponseHead

    /// The bytes of the body, decompressed, by demand. A body from the network can be read once: a second subscription
    /// fails with ``RequestError/bodyAlreadyConsumed``.
    ///
    /// A body without a subscriber is canceled when the last reference to the response is released.
    public var body: AnyPublisher<Data, any Error> {
        switch source {
        case .unclaimed(let unclaimed): unclaimed.body
        case .data(let data): Just(data).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        case .publisher(let publisher): publisher
        case .events: Fail(error: RequestError.bodyAlreadyConsumed).eraseToAnyPublisher()
        }
    }

    /// The events in the body, if it has been read as such.
    package var events: AnyPublisher<ServerSentEvent, any Error>? {
        if case .events(let events) = source { events } else { nil }
    }

    private let source: Source
    /// The call that has delivered the response; `nil` before.
    var call: Call?
    /// The secrets of the call, for the errors of what reads the body.
    package var secrets: RequestSecrets { call?.secrets ?? .none }

    /// Creates a response, for an override of ``APIBase/intercept(_:next:)`` that answers a request or changes a body.
    public init(response: HTTPURLResponse, body: AnyPublisher<Data, any Error>) {
        self.init(ResponseHead(response), body: body)
    }

    package init(_ head: ResponseHead, body: AnyPublisher<Data, any Error>) {
        self.head = head
        source = .publisher(body)
    }

    init(_ head: ResponseHead, _ unclaimed: UnclaimedBody) {
        self.head = head
        source = .unclaimed(unclaimed)
    }

    package init(_ head: ResponseHead, events: AnyPublisher<ServerSentEvent, any Error>) {
        self.head = head
        source = .events(events)
    }

    package init(_ head: ResponseHead, data: Data) {
        self.head = head
        source = .data(data)
    }
}

extension StreamedReply: CustomStringConvertible, CustomReflectable {
    /// The status.
    public var description: String { "<response with status \(head.statusCode)>" }

    /// The status: `dump` shows neither headers nor the body.
    public var customMirror: Mirror { Mirror(self, children: ["statusCode": head.statusCode]) }
}

/// The publisher of the responses to an attempt: see ``APIBase/intercept(_:next:)``.
public typealias ReplyPublisher = AnyPublisher<StreamedReply, any Error>

extension Publisher where Failure == any Error {
    /// The values that are read from the body of a response. The errors leave out the secrets of its call.
    package func read(from reply: StreamedReply) -> Publishers.MapError<Self, any Error> {
        mapError { $0.without(reply.secrets) }
    }
}
