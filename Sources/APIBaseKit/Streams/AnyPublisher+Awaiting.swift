import Basics

extension AnyPublisher where Failure == any Error {
    /// Publishes what an `async` function returns, as its one value: for what has to be awaited in an
    /// ``APIBase/intercept(_:next:)``.
    ///
    /// ```swift
    /// AnyPublisher.awaiting { try await signer.signed(request) }.flatMap(next).eraseToAnyPublisher()
    /// ```
    ///
    /// - Parameter work: Called once for each subscription, in a task that ends with it. In an attempt, the task locals of where
    ///   the call was started hold in it.
    /// - Returns: A publisher that fails with what `work` throws.
    public static func awaiting(_ work: @escaping @Sendable () async throws -> Output) -> AnyPublisher {
        let context = CallerContext()
        return ColdPublisher { AwaitedValue(work, in: context, for: $0) }.eraseToAnyPublisher()
    }
}

/// One subscription to what an `async` function returns.
private final class AwaitedValue<Output>: Subscription, Sendable {
    private struct State {
        var downstream: AnySubscriber<Output, any Error>?
        var task: Task<Void, Never>?
        var hasStarted = false
    }

    private let work: @Sendable () async throws -> Output
    private let context: CallerContext
    private let state: Locked<State>

    init(
        _ work: @escaping @Sendable () async throws -> Output,
        in context: CallerContext,
        for downstream: AnySubscriber<Output, any Error>
    ) {
        self.work = work
        self.context = context
        state = Locked(State(downstream: downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        let starts = state.withLock { state in
            guard demand > .none, !state.hasStarted, state.downstream != nil else { return false }
            state.hasStarted = true
            return true
        }
        guard starts else { return }
        let task = context.run { Task { await self.run() } }
        let isOver = state.withLock { state in
            if state.downstream != nil { state.task = task }
            return state.downstream == nil
        }
        if isOver { task.cancel() }
    }

    func cancel() {
        let remains = state.withLock { state in
            let remains = state
            (state.downstream, state.task) = (nil, nil)
            return remains
        }
        remains.task?.cancel()
    }

    private func run() async {
        do {
            let value = try await work()
            guard let downstream = end() else { return }
            _ = downstream.receive(value)
            downstream.receive(completion: .finished)
        } catch {
            end()?.receive(completion: .failure(error))
        }
    }

    private func end() -> AnySubscriber<Output, any Error>? {
        state.withLock { state in
            defer { (state.downstream, state.task) = (nil, nil) }
            return state.downstream
        }
    }
}
