import HTTPTransport

extension RetryPolicy {
    /// A failed attempt, for ``APIBase/retryDelay(after:)``.
    public struct FailedAttempt {
        /// The number of the attempt, from 1.
        public let number: Int
        /// The request that was sent.
        public let request: URLRequest
        /// The response with a status of 400 or more, or the error.
        public let result: Result<(data: Data, response: HTTPURLResponse), any Error>
        /// The time since the start of the call.
        public let elapsed: Duration
        /// The delay that the policy proposes; `nil` if it would not try again.
        public let proposedDelay: Duration?
    }
}

extension RetryPolicy.FailedAttempt: CustomReflectable {
    /// The number: `dump` shows neither request nor response.
    public var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}

extension RetryPolicy {
    /// The reason why a call is not tried again.
    public enum StopReason: Error, Sendable, Hashable {
        /// The policy's number of attempts has been made.
        case attempts
        /// The method is not safe to repeat, and the request has no `Idempotency-Key`.
        case method
        /// The body can be sent only once.
        case body
        /// The server asks for a longer delay than ``RetryPolicy/longestRetryAfter``.
        case retryAfter(Duration)
        /// The next attempt would begin after ``RetryPolicy/deadline``.
        case deadline
        /// ``RetryPolicy/budget`` is spent.
        case budget
        /// The ``CallGate`` refuses calls for longer than the delay.
        case circuitOpen
        /// An override of ``APIBase/retryDelay(after:)`` has returned `nil`.
        case decision
    }
}

extension RetryPolicy {
    /// The end of a call that is not tried again. The reason is `nil` if the failure is not one to try again after.
    package struct NoRetry: Error {
        var reason: StopReason?
    }

    /// The delay that the policy proposes after an attempt, or why it proposes none.
    ///
    /// If the refresh of a token has failed, the method does not matter: the request was not sent, or was refused.
    package func proposal(
        after result: Result<CallResponse, any Error>,
        of request: URLRequest,
        number: Int,
        isRefresh: Bool
    ) -> Result<Duration, NoRetry> {
        let refused = isRefresh ? result.refusedRefresh : nil
        guard isRetried(result) || refused.map({ statusCodes.contains($0.statusCode) }) ?? false else {
            return .failure(NoRetry())
        }
        guard isRefresh || methods.contains(request.method) || request.hasIdempotencyKey else {
            return .failure(NoRetry(reason: .method))
        }
        let asked = refused?.retryAfter ?? (try? result.get()).flatMap { delay(askedBy: $0.head) }
        guard let asked, asked > .zero else { return .success(backoff.delay(after: number)) }
        return asked > longestRetryAfter ? .failure(NoRetry(reason: .retryAfter(asked))) : .success(asked)
    }

    /// The largest number of attempts, after one with this result.
    package func attempts(after result: Result<CallResponse, any Error>) -> Int {
        if attemptsAfter.isEmpty { return attempts }
        let kind: Failure
        switch result {
        case .success(let response): kind = .status(response.head.statusCode)
        case .failure(let error):
            if let refused = result.refusedRefresh {
                kind = .status(refused.statusCode)
            } else if error.isTransient {
                kind = error.isTimeout ? .timeout : .connection
            } else {
                return attempts
            }
        }
        return attemptsAfter[kind] ?? attempts
    }

    /// The delay for which a response asks.
    private func delay(askedBy head: ResponseHead) -> Duration? {
        if let asked = RetryAfter.wait(asked: head) { return asked }
        return head.statusCode == 429 || head.statusCode == 403 ? RateLimit.wait(after: head) : nil
    }

    private func isRetried(_ result: Result<CallResponse, any Error>) -> Bool {
        switch result {
        case .success(let response): statusCodes.contains(response.head.statusCode)
        case .failure(let error): error.isTransient
        }
    }
}

/// The error of a refresh that the server has refused.
package protocol RefusedRefresh: Error {
    var statusCode: Int { get }
    var retryAfter: Duration? { get }
}

extension Result<CallResponse, any Error> {
    /// The status of a refused refresh; `nil` for other failures.
    fileprivate var refusedRefresh: (statusCode: Int, retryAfter: Duration?)? {
        switch self {
        case .failure(RequestError.httpFailure(let failure)): (failure.statusCode, RetryAfter.wait(asked: failure))
        case .failure(let error as any RefusedRefresh): (error.statusCode, error.retryAfter)
        default: nil
        }
    }
}
