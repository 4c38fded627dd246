import HTTPTransport

/// A reply as the kit has it: its head, and its bytes. The tuple that users see is made of it when they ask, since Foundation takes
/// longer to make a response than the rest of a small call takes.
@usableFromInline struct CallReply: Sendable {
    let head: ResponseHead
    @usableFromInline let data: Data

    init(_ head: ResponseHead, _ data: Data) {
        self.head = head
        self.data = data
    }

    /// A reply that has been a tuple, as from a stub or an operator.
    @usableFromInline init(_ reply: (data: Data, response: HTTPURLResponse)) {
        head = ResponseHead(reply.response)
        data = reply.data
    }

    /// The reply as users see it.
    @usableFromInline var tuple: (data: Data, response: HTTPURLResponse) { (data, head.httpURLResponse) }
}

extension ResponseHead {
    /// A head from Foundation's response, which may be without a URL, as that of a stub.
    init(_ response: HTTPURLResponse) { self.init(response, url: response.url ?? URL(fileURLWithPath: "/")) }
}

/// The reply of an attempt.
struct AttemptReply {
    /// The reply; of one whose body is still to come, the head with no bytes.
    let whole: CallReply

    /// The accepted reply to a call for a stream.
    var stream: StreamedReply?

    var head: ResponseHead { whole.head }
}

/// A subscriber of a call, whatever it makes of a reply. Its closure is compiled for what it makes.
@usableFromInline struct ReplyReceiver {
    @usableFromInline enum Event {
        case subscription(any Subscription)
        case reply(CallReply)
        case completion(Subscribers.Completion<any Error>)
    }

    @usableFromInline let take: (Event) throws -> Subscribers.Demand

    @usableFromInline init(_ take: @escaping (Event) throws -> Subscribers.Demand) { self.take = take }

    func receive(subscription: any Subscription) { _ = try? take(.subscription(subscription)) }

    /// - Throws: Why it does not accept the reply: the call then fails with that.
    func receive(_ reply: CallReply) throws -> Subscribers.Demand { try take(.reply(reply)) }

    func receive(completion: Subscribers.Completion<any Error>) { _ = try? take(.completion(completion)) }
}

/// The subscriber of a call.
enum CallDownstream {
    /// Wants replies when they are whole.
    case whole(ReplyReceiver)
    /// Wants replies when their heads are there.
    case stream(AnySubscriber<StreamedReply, any Error>)

    func receive(_ reply: AttemptReply) throws -> Subscribers.Demand {
        switch self {
        case .whole(let receiver): try receiver.receive(reply.whole)
        case .stream(let subscriber): reply.stream.map { subscriber.receive($0) } ?? .none
        }
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        switch self {
        case .whole(let receiver): receiver.receive(completion: completion)
        case .stream(let subscriber): subscriber.receive(completion: completion)
        }
    }
}
