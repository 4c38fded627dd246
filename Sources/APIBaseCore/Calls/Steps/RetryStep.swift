import Basics
import HTTPTransport

/// Repeats failed attempts by ``APIBase/retry`` and ``APIBase/retryDelay(after:)``.
struct RetryStep: CallStep {
    private let call: Call
    private let policy: RetryPolicy

    init?(_ call: Call) {
        policy = call.settings.retry
        guard policy.mostAttempts > 1 || policy.budget != nil else { return nil }
        self.call = call
    }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        policy.budget?.count(at: call.clock)
        guard policy.mostAttempts > 1 else { return try next.reply(to: attempt) }
        return PendingResponse { [self] then in
            let loop = Trampoline()
            loop.run { run(attempt, next, loop, then) }
        }
    }

    /// Makes an attempt, and the next if it fails.
    private func run(
        _ attempt: Attempt,
        _ next: NextStep,
        _ loop: Trampoline,
        _ then: @escaping PendingResponse.Receiver
    ) {
        next.start(attempt) { [self] result in
            guard call.isRunning else { return }
            let result = result.mapError { $0.without(call.secrets) }
            call.record(result)
            guard let delay = delay(after: result, attempt.number, circuit: next.refusal) else {
                return then(call.isCutShort ? .failure(call.timeout) : result)
            }
            var attempt = attempt
            attempt.number += 1
            let another = attempt
            let proceed: @Sendable () -> Void = {
                loop.run {
                    call.beginAttempt(another.number)
                    run(another, next, loop, then)
                }
            }
            call.endAttempt(result, retryingAfter: delay)
            call.noteWait(for: .retry, of: delay)
            call.wait {
                let wait = call.clock.wait(delay, then: proceed)
                if wait == nil { proceed() }
                return wait.map { .time($0) }
            }
        }
    }

    /// The delay before the next attempt, or `nil`. The call then has the reason.
    private func delay(
        after result: Result<AttemptResponse?, any Error>,
        _ number: Int,
        circuit rest: Duration?
    ) -> Duration? {
        guard let (request, isRefresh) = call.failedAttempt, let result = result.failed else { return nil }
        let proposal = policy.proposal(after: result, of: request, number: number, isRefresh: isRefresh)
        let attempt = RetryPolicy.FailedAttempt(
            number: number,
            request: request,
            result: result.map(\.tuple),
            elapsed: call.elapsed,
            proposedDelay: try? proposal.get()
        )
        guard let requestedDelay = call.context.run({ call.api.retryDelay(after: attempt) }) else {
            if case .failure(let none) = proposal { return call.stopRetrying(none.reason) }
            return call.stopRetrying(.decision)
        }
        let delay = max(.zero, min(requestedDelay, .longest))
        if number >= policy.attempts(after: result) { return call.stopRetrying(.attempts) }
        guard isRefresh || call.canRepeatBody(of: request) else { return call.stopRetrying(.body) }
        if let left = call.timeLeft, delay >= left { return call.stopRetrying(.deadline) }
        if let rest, rest > delay { return call.stopRetrying(.circuitOpen) }
        if let budget = policy.budget, !budget.spend(at: call.clock) { return call.stopRetrying(.budget) }
        return delay
    }
}

extension Result<AttemptResponse?, any Error> {
    /// The failure of an attempt, an error or a response with a status of 400 or more; `nil` for a success.
    fileprivate var failed: Result<CallResponse, any Error>? {
        switch self {
        case .success(let reply?): reply.head.statusCode >= 400 ? .success(reply.whole) : nil
        case .success(nil): nil
        case .failure(let error): .failure(error)
        }
    }
}
