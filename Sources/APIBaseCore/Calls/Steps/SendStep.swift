import HTTPTransport

/// Hands the request to a stub or the session.
struct SendStep: SendingStep {
    let call: Call

    func replies(to attempt: Attempt, next: NextSending) -> ReplyPublisher {
        AttemptExchange(attempt, of: call).replies
    }
}

/// The exchange of an attempt: a request that has passed all other steps, and its response.
final class AttemptExchange: Sendable {
    private let call: Call
    private let request: URLRequest
    private let isCopy: Bool

    init(_ attempt: Attempt, of call: Call) { (self.call, request, isCopy) = (call, attempt.request, attempt.isCopied) }

    /// The exchange that a publisher was made of; `nil` if there are operators in between.
    static func origin(of publisher: ReplyPublisher) -> AttemptExchange? { publisher.madeOf as? AttemptExchange }

    /// The responses, each when its head has arrived, with an exchange for each subscription.
    var replies: ReplyPublisher { StreamedResponses(exchange: self).erased(madeOf: self) }

    /// Sends the request, and delivers the complete response.
    @Sendable func start(then: @escaping PendingResponse.Receiver) {
        do {
            let (request, isFirst) = try checkedRequest()
            guard let stub = call.api.dataTaskPublisher else {
                let progress = call.progressReporter(sending: request.body, isFirst: isFirst)
                let reader = WholeResponse(of: call, progress, then: then)
                return call.start(Exchange(request, on: call.session, for: .whole(reader, counts: true)))
            }
            call.waitForFirst(of: stub) { [call] result in
                then(result.map { $0.map { AttemptResponse(whole: call.stubbed($0, $1)) } })
            }
        } catch {
            then(.failure(error))
        }
    }

    /// Sends the request, and delivers the response when its head has arrived.
    fileprivate func send<S: Subscriber<StreamedReply, any Error>>(to subscriber: S) {
        do {
            let (request, isFirst) = try checkedRequest()
            // The code that is asked and told along the way may have canceled the call.
            guard call.isRunning else { throw CancellationError() }
            guard let stub = call.api.dataTaskPublisher else {
                let progress = call.progressReporter(sending: request.body, isFirst: isFirst)
                let stream = ResponseStream(request, of: call, progress, isCopy: isCopy, AnySubscriber(subscriber))
                return subscriber.receive(subscription: stream)
            }
            stub.map { [call, isCopy] data, response in
                let reply = call.stubbed(data, response, isCopy: isCopy)
                return StreamedReply(reply.head, data: reply.data)
            }
            .subscribe(subscriber)
        } catch {
            Fail(error: error).subscribe(subscriber)
        }
    }

    /// The request for the transport, checked and reported as sent, and whether the request object has had no progress before.
    private func checkedRequest() throws -> (ExchangeRequest, isFirst: Bool) {
        let body = call.variant?.hasOwnBody == false ? HTTPBody.none : nil
        let isForeign = call.variant?.isForeign == true
        // Watchers and the API's own method may have added credentials.
        let request = isForeign ? request.without(call.secretHeaders) : request
        var exchange = try call.exchange(for: request, body: body)
        if isForeign { exchange.hasLeftOrigin = true }
        if !exchange.body.isReplayable { try call.api.takeBody(of: request) }
        exchange.caller = call
        if let upgrade = call.variant?.upgrade() {
            exchange.upgrade = upgrade
        } else if call.isStream {
            exchange.limits.lift(keeping: call.settings.limits)
        } else {
            // All of it is kept in memory anyway, so a slow reader is no reason to fail.
            exchange.limits.queuedBytes = max(exchange.limits.queuedBytes, exchange.limits.responseBytes)
        }
        call.followTask()
        if let timeLeft = call.timeLeftOnClock, call.clock.endsWaitsAtOnce {
            let left = max(.zero, timeLeft)
            exchange.limits.total = min(exchange.limits.total ?? left, left)
        }
        return (exchange, isFirst: call.isSent(request))
    }
}

private struct StreamedResponses: Publisher {
    typealias Output = StreamedReply
    typealias Failure = any Error

    let exchange: AttemptExchange

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        exchange.send(to: subscriber)
    }
}

extension ExchangeRequest.Limits {
    /// Lifts the limits that do not apply to a stream, unless the API has set them.
    fileprivate mutating func lift(keeping own: ExchangeRequest.Limits) {
        total = own.total
        if own.responseBytes == Self.default.responseBytes { responseBytes = .max }
    }
}
