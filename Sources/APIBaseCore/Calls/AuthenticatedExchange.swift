import HTTPTransport

/// An attempt with the credentials of an ``Authenticator``, which is repeated once if that asks for it.
struct AuthenticatedExchange: Sendable {
    private let call: Call
    private let authenticator: any Authenticator
    private let attempt: Attempt
    private let next: NextStep

    init(call: Call, by authenticator: any Authenticator, attempt: Attempt, next: NextStep) {
        (self.call, self.authenticator, self.attempt, self.next) = (call, authenticator, attempt, next)
    }

    func send(again isSecond: Bool, then: @escaping PendingResponse.Receiver) {
        let start = call.elapsed
        awaiting({ [authenticator, attempt] in try await authenticator.authorize(attempt.request) }) { result in
            // On an immediate clock, the wait may have passed the deadline.
            guard !call.isPastDeadline else { return call.expire() }
            call.waitedForCredentials(since: start)
            if case .failure = result { call.refreshFailed() }
            do {
                var attempt = attempt
                guard let request = try result.get() else { return then(.success(nil)) }
                if isSecond { call.reportRefresh() }
                try call.api.check(request)
                attempt.request = request
                attempt.tokenIdentity = call.owner("authenticator \(authenticator.identity)")
                next.startInContext(attempt) { [attempt] result in
                    guard !isSecond, case .success(let reply?) = result,
                        self.attempt.mayBeSentAgain(after: reply.head, in: call)
                    else { return then(result) }
                    sendAgain(after: reply, to: attempt.request, then: then)
                }
            } catch {
                then(.failure(error))
            }
        }
    }

    private func sendAgain(
        after reply: AttemptResponse,
        to request: URLRequest,
        then: @escaping PendingResponse.Receiver
    ) {
        let response = reply.head.httpURLResponse
        awaiting({ [authenticator] in try await authenticator.asksAgain(after: response, to: request) }) { result in
            switch result {
            case .success(true?): send(again: true, then: then)
            case .success: then(.success(reply))
            case .failure(let error): then(.failure(error))
            }
        }
    }

    /// Awaits `work` where the call was started.
    private func awaiting<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        then: @escaping (Result<Value?, any Error>) -> Void
    ) {
        let timed: @Sendable () async throws -> Value = { [call] in
            call.clock.handOn()
            defer { call.clock.catchUp(to: CallScope.here.taskTime) }
            return try await work()
        }
        let publisher = call.context.run { call.inScope { AnyPublisher<Value, any Error>.awaiting(timed) } }
        call.waitForFirst(of: publisher, then: then)
    }
}
