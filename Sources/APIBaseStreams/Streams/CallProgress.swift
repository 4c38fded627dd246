import Basics

/// A step of a call whose progress is shown: see `eachProgress()`.
public enum CallProgress<Value> {
    /// The bytes of the request's body handed to the network so far, and all of them, or -1 if that is not known.
    case sent(Int64, expected: Int64)
    /// The bytes of the response's body received so far, and all of them, or -1 if that is not known.
    case received(Int64, expected: Int64)
    /// The value of the call. It is the last step.
    case value(Value)
}

extension CallProgress: Sendable where Value: Sendable {}
extension CallProgress: Equatable where Value: Equatable {}

extension Request where Self: APIBase {
    /// The progress of the call, and then its value:
    ///
    /// ```swift
    /// for try await step in UploadRequest(file).eachProgress() {
    ///     switch step {
    ///     case .sent(let bytes, let expected): show(bytes, of: expected)
    ///     case .received: break
    ///     case .value(let photo): open(photo)
    ///     }
    /// }
    /// ```
    ///
    /// The call starts with the loop. Only the newest count of each direction is kept, so a slow loop skips counts and
    /// does not slow the call down. The counts are those of ``APIBase/uploadProgress`` and
    /// ``APIBase/downloadProgress``, so they begin again with a further attempt. The object must have no other call
    /// under way.
    ///
    /// - Returns: A sequence that ends after the value, and throws the errors of ``Request/value()``. Leaving the loop
    ///   cancels the call.
    public func eachProgress() -> CallSequence<CallProgress<ModelType>> {
        // In the scope of this code, not of the loop.
        let start = start().mapError { $0 as any Error }
        return CallSequence { ProgressedCall(self, start) }
    }
}

extension APICall {
    /// The progress of the call, and then its value: see ``Request/eachProgress()``.
    public func eachProgress() -> CallSequence<CallProgress<ModelType>> {
        let start = start()
        return CallSequence { ProgressedCall(api, start) }
    }
}

/// A call and the newest counts of its progress, for one loop.
private final class ProgressedCall<Start: Publisher>: ValueSource where Start.Failure == any Error {
    typealias Step = CallProgress<Start.Output>

    private var steps: NewestSteps<Start.Output>?
    private let call: APIBase
    private let start: Start

    init(_ call: APIBase, _ start: Start) { (self.call, self.start) = (call, start) }

    deinit { steps?.cancel(throwing: nil) }

    nonisolated(nonsending) func next() async throws -> Step? {
        let steps = steps ?? begin()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                steps.wait { result in
                    // Unsafe: the call does not use the value after it has delivered it.
                    nonisolated(unsafe) let step = result
                    continuation.resume(with: step)
                }
            }
        } onCancel: {
            steps.cancel(throwing: CancellationError())
        }
    }

    private func begin() -> NewestSteps<Start.Output> {
        let steps = NewestSteps<Start.Output>()
        self.steps = steps
        steps.keep([
            call.$uploadProgress.dropFirst().sink { steps.take(sent: .sent($0.sent, expected: $0.expected)) },
            call.$downloadProgress.dropFirst().sink {
                steps.take(received: .received($0.received, expected: $0.expected))
            },
            start.sink {
                steps.end($0)
            } receiveValue: {
                steps.take(value: $0)
            },
        ])
        return steps
    }
}

/// The steps of a call that a loop has not taken.
private final class NewestSteps<Value>: Sendable {
    typealias Receiver = (Result<CallProgress<Value>?, any Error>) -> Void

    private struct State {
        var subscriptions: [AnyCancellable] = []
        var (sent, received, value): (CallProgress<Value>?, CallProgress<Value>?, CallProgress<Value>?)
        var end: Result<CallProgress<Value>?, any Error>?
        /// The loop, while it waits.
        var then: Receiver?

        /// The next step, or the end; `nil` if there is neither.
        mutating func next() -> Result<CallProgress<Value>?, any Error>? {
            if let step = sent.take() ?? received.take() ?? value.take() { return .success(step) }
            return end
        }
    }

    private let state = Locked(State())

    /// Keeps the subscriptions until the end.
    func keep(_ subscriptions: [AnyCancellable]) {
        let isOver = state.withLockUnchecked { state in
            if state.end == nil { state.subscriptions = subscriptions }
            return state.end != nil
        }
        if isOver { for subscription in subscriptions { subscription.cancel() } }
    }

    func take(sent: CallProgress<Value>) { change { $0.sent = sent } }
    func take(received: CallProgress<Value>) { change { $0.received = received } }

    /// Takes the first value, which ends the call.
    func take(value: Value) {
        change { state in
            guard state.end == nil else { return }
            (state.value, state.end) = (.value(value), .success(nil))
        }
    }

    func end(_ completion: Subscribers.Completion<any Error>) {
        change { state in
            guard state.end == nil else { return }
            if case .failure(let error) = completion {
                state.end = .failure(error)
            } else {
                state.end = .failure(RequestError.noValue)
            }
        }
    }

    func wait(then: @escaping Receiver) { change { $0.then = then } }

    /// Cancels the call. A loop that waits gets the error, if there is one.
    func cancel(throwing error: (any Error)?) {
        change { state in
            (state.sent, state.received, state.value) = (nil, nil, nil)
            state.end = error.map { .failure($0) } ?? .success(nil)
        }
    }

    /// Changes the state, and hands the next step to a loop that waits. After the end, the subscriptions are canceled.
    private func change(_ change: (inout State) -> Void) {
        let (then, step, subscriptions) = state.withLockUnchecked { state in
            change(&state)
            var subscriptions: [AnyCancellable] = []
            if state.end != nil { swap(&subscriptions, &state.subscriptions) }
            let step = state.then == nil ? nil : state.next()
            return (step == nil ? nil : state.then.take(), step, subscriptions)
        }
        if let step { then?(step) }
        for subscription in subscriptions { subscription.cancel() }
    }
}
