import Basics
import HTTPTransport

/// The calls of one operation: the one that begins it, and its polls.
final class PollCalls<Operation: PolledRequest>: ValueSource {
    /// A call that has not been made.
    private struct Planned {
        /// The delay, and how the call differs from that of the request object.
        var poll: (delay: Duration, change: ChangedCalls.Change)?
    }

    private let operation: Operation
    private let calls: StreamCalls
    private let clock: any CallClock
    private let series: CancelableSeries
    private let limit: Duration
    private let start: Duration
    /// The origin of the first call, to which credentials are sent.
    private let origin: Origin?
    private var planned: Planned? = Planned()
    private var polls = RequestError.Polls()
    /// The secrets of the last call, and of the one whose response has named the URL that is polled.
    private var (secrets, secretsOfNamer) = (RequestSecrets.none, RequestSecrets.none)

    init(of operation: Operation, by calls: StreamCalls? = nil, within limit: Duration) {
        let calls = calls ?? StreamCalls(of: operation)
        (self.operation, self.calls) = (operation, calls)
        self.limit = max(.zero, min(limit, .longest))
        clock = calls.makeClock()
        start = clock.now
        series = CancelableSeries(of: operation, in: calls.scope)
        origin = calls.run { try? operation.buildURL() }?.origin
    }

    private var left: Duration { limit - (clock.now - start) }

    /// The value of the next response that has one; `nil` if the operation is over.
    nonisolated(nonsending) func next() async throws -> Operation.ModelType? {
        do { return try await value() } catch { throw error.without(secrets.and(secretsOfNamer)) }
    }

    nonisolated(nonsending) private func value() async throws -> Operation.ModelType? {
        while let call = planned.take() {
            try Task.checkCancellation()
            try series.check()
            if let delay = call.poll?.delay { try await pause(delay) }
            let (result, reply) = await reply(call.poll?.change ?? .none)
            guard let reply else {
                _ = try result.get()
                throw RequestError.nonHTTPResponse
            }
            secrets = reply.secrets
            polls.add(reply.head, isFirst: call.poll == nil, by: calls.answerer(of: reply.head.url))
            let response = reply.head.httpURLResponse
            switch result {
            case .success(let value):
                try plan(operation.nextPoll(after: value, response), response)
                return value
            case .failure(let error):
                guard response.goesOn, error.isAboutBody else { throw error }
                try plan(NextPoll(response), response)
            }
        }
        return nil
    }

    // MARK: The plan

    private func plan(_ next: NextPoll, _ response: HTTPURLResponse) throws {
        switch next {
        case .done: break
        case .again(let delay):
            try response.checkTarget()
            plan(response.url, after: delay, response)
        case .at(let url, let delay):
            let source = response.url ?? url
            let target: URL
            do throws(TransportError.InvalidRequest) { target = try source.resolving(url.absoluteString) } catch {
                throw TransportError(phase: .redirect, reason: .invalidRedirect(error), url: response.url)
            }
            guard !source.isSecure || target.isSecure else {
                throw TransportError(phase: .redirect, reason: .insecureRedirect, url: response.url)
            }
            plan(target, after: delay, response)
        }
    }

    private func plan(_ url: URL?, after delay: Duration, _ response: HTTPURLResponse) {
        guard let url else { return }
        if url != response.url { secretsOfNamer = secrets }
        let isForeign = url.origin != origin || response.url?.origin != origin
        planned = Planned(poll: (max(.zero, min(delay, .longest)), .poll(url, isForeign: isForeign)))
    }

    // MARK: Waiting

    nonisolated(nonsending) private func pause(_ delay: Duration) async throws {
        guard delay < left else { throw RequestError.notDone(within: limit, polls: polls) }
        let pause = calls.pause(delay, on: clock, for: .poll).cancelable(with: series)
        for try await _ in CallSequence(pause) {}
    }

    /// Makes a call, and returns its value and its response.
    nonisolated(nonsending) private func reply(
        _ change: ChangedCalls.Change
    ) async -> (Result<Operation.ModelType, any Error>, HeadRecorder.Reply?) {
        let call = calls.run { ChangedCalls(of: operation, to: change, secretsOfNamer: secretsOfNamer) }
        let late = RequestError.notDone(within: limit, polls: polls)
        calls.follow(clock)
        let left = left
        let scope = (calls.scope ?? .here).ending(after: left, throwing: late)
        let publisher = calls.run { scope.run { call.run { operation.start() } } }.mapError { $0 as any Error }
        // To end calls that hang.
        let timer = clock.forRealWork
        let first = FirstValue<Operation.ModelType>()
        do {
            let value = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation {
                    (continuation: CheckedContinuation<Operation.ModelType, any Error>) in
                    let wait = timer.wait(left) { first.cancel(throwing: late) }
                    guard let wait else { return continuation.resume(throwing: late) }
                    first.wait(for: publisher) { result in
                        wait.cancel()
                        // Unsafe: the publisher does not use the value after it has delivered it.
                        nonisolated(unsafe) let value = result.unwrapped()
                        continuation.resume(with: value)
                        first.cancel()
                    }
                }
            } onCancel: {
                first.cancel(throwing: CancellationError())
            }
            return (.success(value), call.reply)
        } catch {
            // The time may have ended before the call began to wait.
            let isLate = error is CancellationError && !Task.isCancelled && self.left <= .zero
            return (.failure(isLate ? late : error), call.reply)
        }
    }
}

extension Error {
    /// True if the response has come, and its body is no value.
    fileprivate var isAboutBody: Bool {
        switch self as? RequestError {
        case .undecodable, .contentTypeMismatch, .noValue: true
        default: self is DecodingError
        }
    }
}
