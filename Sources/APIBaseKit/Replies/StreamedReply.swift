import HTTPTransport

/// A reply as it comes: its head, and its body while it arrives.
public struct StreamedReply {
    private enum Source {
        case offer(BodyOffer)
        case data(Data)
        case publisher(AnyPublisher<Data, any Error>)
    }

    /// The head: status and headers.
    public var response: HTTPURLResponse { head.httpURLResponse }
    let head: ResponseHead

    /// The bytes of the body, decompressed, as they are asked for. From the network, it can be read once: a second subscription
    /// fails with ``RequestError/bodyTaken``.
    ///
    /// What nothing has subscribed to is cancelled when nothing holds the reply any more.
    public var body: AnyPublisher<Data, any Error> {
        switch source {
        case .offer(let offer): offer.body
        case .data(let data): Just(data).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        case .publisher(let publisher): publisher
        }
    }

    private let source: Source

    /// Creates a reply, for an override of ``APIBase/intercept(_:next:)`` that answers itself or changes a body.
    public init(response: HTTPURLResponse, body: AnyPublisher<Data, any Error>) {
        self.init(ResponseHead(response), body: body)
    }

    init(_ head: ResponseHead, body: AnyPublisher<Data, any Error>) {
        self.head = head
        source = .publisher(body)
    }

    init(_ head: ResponseHead, _ offer: BodyOffer) {
        self.head = head
        source = .offer(offer)
    }

    /// A reply whose body is there.
    init(_ head: ResponseHead, data: Data) {
        self.head = head
        source = .data(data)
    }
}

extension StreamedReply: CustomStringConvertible, CustomReflectable {
    /// The status.
    public var description: String { "<reply with status \(head.statusCode)>" }

    /// The status: `dump` shows neither headers nor the body.
    public var customMirror: Mirror { Mirror(self, children: ["statusCode": head.statusCode]) }
}

/// The publisher of the replies to an attempt: see ``APIBase/intercept(_:next:)``.
public typealias ReplyPublisher = AnyPublisher<StreamedReply, any Error>
