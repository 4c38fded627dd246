/// The reply of an attempt.
struct AttemptReply {
    /// The reply; of one whose body is still to come, the head with no bytes.
    let whole: APIBase.DataResponseTuple

    /// The accepted reply to a call for a stream.
    var stream: StreamedReply?

    var response: HTTPURLResponse { whole.response }
}

/// The subscriber of a call.
enum CallDownstream {
    /// Wants replies when they are whole.
    case whole(AnySubscriber<APIBase.DataResponseTuple, any Error>)
    /// Wants replies when their heads are there.
    case stream(AnySubscriber<StreamedReply, any Error>)

    func receive(_ reply: AttemptReply) -> Subscribers.Demand {
        switch self {
        case .whole(let subscriber): subscriber.receive(reply.whole)
        case .stream(let subscriber): reply.stream.map { subscriber.receive($0) } ?? .none
        }
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        switch self {
        case .whole(let subscriber): subscriber.receive(completion: completion)
        case .stream(let subscriber): subscriber.receive(completion: completion)
        }
    }
}
