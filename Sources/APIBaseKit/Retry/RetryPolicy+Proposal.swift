import HTTPTransport

extension RetryPolicy {
    /// Why there is no other attempt; the reason is `nil` where the failure is not one to try again after.
    struct NoRetry: Error {
        var reason: RetryRefusal?
    }

    /// The delay that the policy itself proposes after an attempt; a failure if it proposes no other attempt.
    ///
    /// Where the refresh of a token has failed, the method does not matter: nothing of the call has been sent, or what was sent
    /// has been refused.
    func proposal(
        after result: Result<CallReply, any Error>,
        of request: URLRequest,
        number: Int,
        isRefresh: Bool
    ) -> Result<Duration, NoRetry> {
        let refused = isRefresh ? result.refusedRefresh : nil
        guard wants(result) || refused.map({ statusCodes.contains($0.statusCode) }) ?? false else {
            return .failure(NoRetry())
        }
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        guard isRefresh || methods.contains(method) || request.hasIdempotencyKey else {
            return .failure(NoRetry(reason: .method))
        }
        let asked = refused?.retryAfter ?? (try? result.get()).flatMap { RetryAfter.wait(asked: $0.head) }
        guard let asked, asked > .zero else { return .success(backoff.delay(after: number)) }
        return asked > longestRetryAfter ? .failure(NoRetry(reason: .retryAfter(asked))) : .success(asked)
    }

    private func wants(_ result: Result<CallReply, any Error>) -> Bool {
        switch result {
        case .success(let reply): statusCodes.contains(reply.head.statusCode)
        case .failure(let error): error.isTransient
        }
    }
}

/// The error of a refresh that the server has answered without a token.
protocol RefusedRefresh: Error {
    /// The status of the reply.
    var statusCode: Int { get }

    /// The time that the server asks to wait; `nil` if it does not.
    var retryAfter: Duration? { get }
}

extension Result<CallReply, any Error> {
    /// The reply of a token endpoint that gives no token; `nil` if this is another failure.
    fileprivate var refusedRefresh: (statusCode: Int, retryAfter: Duration?)? {
        switch self {
        case .failure(RequestError.httpFailure(let failure)): (failure.statusCode, RetryAfter.wait(asked: failure))
        case .failure(let error as any RefusedRefresh): (error.statusCode, error.retryAfter)
        default: nil
        }
    }
}
