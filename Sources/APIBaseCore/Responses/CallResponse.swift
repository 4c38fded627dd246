package import Basics
import HTTPTransport

/// The head and the bytes of a response.
///
/// Foundation's response is made only for users who ask for the tuple: making it takes longer than the rest of a small
/// call.
@usableFromInline package struct CallResponse: Sendable {
    package let head: ResponseHead
    @usableFromInline package let data: Data

    package init(_ head: ResponseHead, _ data: Data) {
        self.head = head
        self.data = data
    }

    /// Takes a tuple apart, as from a stub or an operator.
    @usableFromInline package init(_ reply: (data: Data, response: HTTPURLResponse)) {
        head = ResponseHead(reply.response)
        data = reply.data
    }

    /// The response in the form that users see.
    @usableFromInline var tuple: (data: Data, response: HTTPURLResponse) { (data, head.httpURLResponse) }
}

extension ResponseHead {
    /// Converts Foundation's response, which may have no URL if it is from a stub.
    package init(_ response: HTTPURLResponse) { self.init(response, url: response.url ?? URL(fileURLWithPath: "/")) }
}

/// The response to an attempt.
package struct AttemptResponse {
    /// The response. If its body is still to come, the head without bytes.
    package let whole: CallResponse

    /// The accepted response to a call for a stream.
    package var stream: StreamedReply?

    package init(whole: CallResponse, stream: StreamedReply? = nil) { (self.whole, self.stream) = (whole, stream) }

    package var head: ResponseHead { whole.head }
}

/// The outcome of an attempt as a sign of the server's health.
package enum ServerOutcome {
    case success
    case failure
    /// No sign: the call was canceled, or not sent.
    case unknown
}

/// The way in which a stored response answers a call.
public enum CacheOutcome: Sendable, Hashable {
    /// The response is fresh. No request was sent.
    case fresh
    /// The response is stale; the call, the response or a failure of the server allows its use.
    case stale
    /// The server has confirmed that the response still holds.
    case validated
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

    func receive(_ reply: AttemptResponse) throws -> Subscribers.Demand {
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

/// Records the head of the last response, and the secrets of its call, for the code that has started the call.
package final class HeadRecorder: Sendable, CallLocal {
    package static let initial: HeadRecorder? = nil

    /// The secrets of the call whose response has named the URL of this one; `nil` if no call follows another.
    let secretsOfNamer: RequestSecrets?

    package init(secretsOfNamer: RequestSecrets? = nil) { self.secretsOfNamer = secretsOfNamer }

    private let last = Locked<Reply?>(nil)
    package typealias Reply = (head: ResponseHead, secrets: RequestSecrets)

    package var reply: Reply? { last.withLock { $0 } }

    func record(_ head: ResponseHead, _ secrets: RequestSecrets) { last.withLock { $0 = (head, secrets) } }
    /// The number of requests that were sent, and whose response has not begun.
    package let unanswered = Locked(0)
}
