import HTTPTransport

/// One request on its way to the stub or to the network, when everything around it has been done.
final class AttemptExchange {
    private let call: Call
    private let request: URLRequest

    init(_ request: URLRequest, of call: Call) {
        self.call = call
        self.request = request
    }

    /// The exchange that a publisher stands for, if nothing else stands in between.
    static func behind(_ publisher: ReplyPublisher) -> AttemptExchange? { publisher.madeOf as? AttemptExchange }

    /// The replies, each when its head is there; an exchange for each subscription.
    var replies: ReplyPublisher {
        ColdExchange(call: call, request: request) { [call] exchange, subscriber in
            ReplyStream(exchange, of: call, on: call.session, for: subscriber)
        } stubbed: {
            StreamedReply($0.head, data: $0.data)
        }
        .erased(madeOf: self)
    }

    /// The replies, each when it is whole; an exchange for each subscription.
    var wholeReplies: AnyPublisher<AttemptReply, any Error> {
        ColdExchange(call: call, request: request) { [call] exchange, subscriber in
            WholeExchange(exchange, of: call, on: call.session, for: subscriber)
        } stubbed: {
            AttemptReply(whole: $0)
        }
        .eraseToAnyPublisher()
    }
}

/// One exchange for each subscription: the request is checked, stored and handed on.
private struct ColdExchange<Output>: Publisher {
    typealias Failure = any Error

    let call: Call
    let request: URLRequest
    let read: (ExchangeRequest, AnySubscriber<Output, any Error>) -> any Subscription
    let stubbed: (CallReply) -> Output

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        do {
            let exchange = try call.exchange(for: request)
            guard let stub = call.api.dataTaskPublisher else {
                return subscriber.receive(subscription: read(exchange, AnySubscriber(subscriber)))
            }
            stub.map { data, response in stubbed(call.stubbed(data, response)) }.subscribe(subscriber)
        } catch {
            Fail(error: error).subscribe(subscriber)
        }
    }
}
