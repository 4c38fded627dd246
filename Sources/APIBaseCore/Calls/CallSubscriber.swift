import HTTPTransport

/// The response to an attempt.
package struct AttemptResponse {
    /// The response. If its body is still to come, the head without bytes.
    package let whole: CallResponse

    /// The accepted response to a call for a stream.
    package var stream: StreamedReply?

    package init(whole: CallResponse, stream: StreamedReply? = nil) { (self.whole, self.stream) = (whole, stream) }

    package var head: ResponseHead { whole.head }
}

/// A subscriber to complete responses. Its closure is specialized for its type of value.
@usableFromInline package struct ResponseReceiver {
    @usableFromInline package enum Event {
        case subscription(any Subscription)
        case reply(CallResponse)
        case completion(Subscribers.Completion<any Error>)
    }

    @usableFromInline let take: (Event) throws -> Subscribers.Demand

    @usableFromInline package init(_ take: @escaping (Event) throws -> Subscribers.Demand) { self.take = take }

    func receive(subscription: any Subscription) { _ = try? take(.subscription(subscription)) }

    /// - Throws: The error with which the call fails, if the response is not accepted.
    func receive(_ reply: CallResponse) throws -> Subscribers.Demand { try take(.reply(reply)) }

    func receive(completion: Subscribers.Completion<any Error>) { _ = try? take(.completion(completion)) }
}

/// The subscriber of a call.
package enum CallSubscriber {
    /// Gets a response when it is complete.
    case whole(ResponseReceiver)
    /// Gets a response when its head has arrived.
    case stream(AnySubscriber<StreamedReply, any Error>)
    /// A task, which reads the complete response itself; `nil` before it waits.
    case task(UnsafeContinuation<AwaitedResponse, any Error>?)

    func receive(_ reply: AttemptResponse) throws -> Subscribers.Demand {
        switch self {
        case .whole(let receiver): try receiver.receive(reply.whole)
        case .stream(let subscriber): reply.stream.map { subscriber.receive($0) } ?? .none
        case .task: .none
        }
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        switch self {
        case .whole(let receiver): receiver.receive(completion: completion)
        case .stream(let subscriber): subscriber.receive(completion: completion)
        case .task(let task): task?.resume(with: completion.noValue)
        }
    }

    /// The call has been canceled by its subscriber: publishers deliver nothing more, a task continues.
    func receiveCancel() { if case .task(let task) = self { task?.resume(throwing: CancellationError()) } }
}

/// A response that a task has awaited, with its call, which ends when the task has read it.
@usableFromInline package struct AwaitedResponse: Sendable {
    let response: CallResponse
    let call: Call
}

extension Subscribers.Completion<any Error> {
    /// The end of a call without a response.
    fileprivate var noValue: Result<AwaitedResponse, any Error> {
        if case .failure(let error) = self { .failure(error) } else { .failure(RequestError.noValue) }
    }
}
