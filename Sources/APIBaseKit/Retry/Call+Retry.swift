import Basics
import HTTPTransport

extension Call {
    /// Why there is no other attempt; the reason is `nil` where the policy is not asked for one.
    struct NoRetry: Error {
        var reason: RetryRefusal?
    }

    /// The delay before the next attempt, after one with this result; a failure if there is to be none.
    func nextDelay(
        after result: Result<CallReply, any Error>,
        of request: URLRequest,
        number: Int
    ) -> Result<Duration, NoRetry> {
        let isRefresh = state.withLock { $0.report.isRefreshFailed }
        let proposal =
            isRefresh
            ? retry.proposal(afterRefresh: result, number: number)
            : retry.proposal(after: result, of: request, number: number)
        let attempt = FailedAttempt(
            number: number,
            request: request,
            result: result.map(\.tuple),
            elapsed: elapsed,
            proposedDelay: try? proposal.get()
        )
        guard let wish = context.run({ api.retryDelay(after: attempt) }) else {
            if case .failure(let refusal) = proposal { return .failure(refusal) }
            return .failure(NoRetry(reason: .decision))
        }
        let delay = max(.zero, min(wish, .longest))
        if number >= retry.attempts { return .failure(NoRetry(reason: .attempts)) }
        guard isRefresh || api.canRepeatBody(of: request) else { return .failure(NoRetry(reason: .body)) }
        if let deadline, elapsed + delay >= deadline { return .failure(NoRetry(reason: .deadline)) }
        if let rest = line?.refusal(on: clock), rest > delay { return .failure(NoRetry(reason: .circuitOpen)) }
        if let budget = retry.budget, !budget.spend(at: clock) { return .failure(NoRetry(reason: .budget)) }
        return .success(delay)
    }
}

extension RetryPolicy {
    /// The delay that the policy itself proposes after an attempt; a failure if it proposes no other attempt.
    fileprivate func proposal(
        after result: Result<CallReply, any Error>,
        of request: URLRequest,
        number: Int
    ) -> Result<Duration, Call.NoRetry> {
        guard wants(result) else { return .failure(Call.NoRetry()) }
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        guard methods.contains(method) || request.hasIdempotencyKey else {
            return .failure(Call.NoRetry(reason: .method))
        }
        return delay(after: number, asked: (try? result.get()).flatMap { RetryAfter.wait(asked: $0.head) })
    }

    /// The same after a refresh that has failed. The method does not matter: nothing of the call has been sent, or what was sent
    /// has been refused.
    fileprivate func proposal(
        afterRefresh result: Result<CallReply, any Error>,
        number: Int
    ) -> Result<Duration, Call.NoRetry> {
        guard case .failure(let error) = result else { return .failure(Call.NoRetry()) }
        let refusal = RefreshRefusal(error)
        guard error.isTransient || refusal.map({ statusCodes.contains($0.statusCode) }) ?? false else {
            return .failure(Call.NoRetry())
        }
        return delay(after: number, asked: refusal?.retryAfter)
    }

    private func delay(after number: Int, asked wait: Duration?) -> Result<Duration, Call.NoRetry> {
        guard let wait, wait > .zero else { return .success(backoff.delay(after: number)) }
        return wait > longestRetryAfter ? .failure(Call.NoRetry(reason: .retryAfter(wait))) : .success(wait)
    }

    private func wants(_ result: Result<CallReply, any Error>) -> Bool {
        switch result {
        case .success(let reply): statusCodes.contains(reply.head.statusCode)
        case .failure(let error): error.isTransient
        }
    }
}

/// The reply of a token endpoint that gives no token.
private struct RefreshRefusal {
    let statusCode: Int
    let retryAfter: Duration?

    /// - Returns: `nil` for an error that is no such reply.
    init?(_ error: any Error) {
        switch error {
        case RequestError.httpFailure(let failure):
            (statusCode, retryAfter) = (failure.statusCode, RetryAfter.wait(asked: failure))
        case let error as OAuthError: (statusCode, retryAfter) = (error.statusCode, error.retryAfter)
        default: return nil
        }
    }
}
