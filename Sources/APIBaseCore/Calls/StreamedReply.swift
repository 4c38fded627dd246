import HTTPTransport

/// A response whose body is delivered while it arrives.
public struct StreamedReply {
    private enum Source {
        case unclaimed(UnclaimedBody)
        case data(Data)
        case publisher(AnyPublisher<Data, any Error>)
    }

    /// The status and the headers.
    public var response: HTTPURLResponse { head.httpURLResponse }
    package let head: ResponseHead

    /// The bytes of the body, decompressed, by demand. A body from the network can be read once: a second subscription
    /// fails with ``RequestError/bodyAlreadyConsumed``.
    ///
    /// A body without a subscriber is canceled when the last reference to the response is released.
    public var body: AnyPublisher<Data, any Error> {
        guard end != nil else { return bytes }
        return Pulled { Relay { read(by: $0, in: $1) } }.eraseToAnyPublisher()
    }

    private let source: Source
    /// The end of the call that has delivered the response; `nil` before.
    var end: StreamEnd?
    /// The secrets of the call, for the errors of what reads the body.
    package var secrets: RequestSecrets { end?.secrets ?? .none }

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

extension StreamedReply {
    /// The bytes of the body, for a reader that ends the call.
    private var bytes: AnyPublisher<Data, any Error> {
        switch source {
        case .unclaimed(let unclaimed): unclaimed.body
        case .data(let data): Just(data).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        case .publisher(let publisher): publisher
        }
    }

    /// Passes on the body.
    package func read(by relay: Relay<Data>, in stage: PullStage<Data>) {
        relay.read(bytes, in: stage, following: end)
    }

    /// Attaches a stage to the body.
    package func read<Output>(
        in stage: PullStage<Output>,
        _ take: @escaping (Data) -> Void,
        end finish: @escaping (Subscribers.Completion<any Error>) -> Void
    ) {
        stage.attach(to: bytes, following: end, take, end: finish)
    }

    /// Lets a stage that has read the body before the call delivered it end the call.
    package func follow<Output>(in stage: PullStage<Output>) { if let end { stage.follow(end, reads: true) } }
}
