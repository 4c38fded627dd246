import Basics

extension CallSequence where Element: Sendable {
    /// Transforms the values, several at a time, and delivers the results in the order of the values.
    ///
    /// ```swift
    /// for try await photo in PhotosRequest().eachElement().concurrentMap(atMost: 8, { try await download($0) }) { … }
    /// ```
    ///
    /// At most `limit` transformations run or have results that the loop has not taken, so a slow loop stops them and
    /// the calls. Leaving the loop and the first error cancel all that run, and so does a cancel of the loop's task,
    /// once the loop asks for the next result. The results before an error are delivered first.
    ///
    /// The calls are made in a task of their own, also if the loop is on an actor.
    ///
    /// - Parameters:
    ///   - limit: The number of transformations at a time, at least 1.
    ///   - transform: Called in tasks of their own, with the task locals of the loop.
    /// - Returns: A sequence of the results. It throws the errors of the values and of `transform`.
    public func concurrentMap<Value: Sendable>(
        atMost limit: Int,
        _ transform: @escaping @Sendable (Element) async throws -> Value
    ) -> CallSequence<Value> {
        CallSequence<Value> { TransformedValues(self, atMost: Swift.max(1, limit), transform) }
    }
}

/// The results of transformed values. A task reads the values, and starts a task for each as soon as there is room.
private final class TransformedValues<Input: Sendable, Element: Sendable>: ValueSource {
    private let values: CallSequence<Input>
    private let transform: @Sendable (Input) async throws -> Element
    private let window: TaskWindow<Element>
    private var reader: Task<Void, Never>?

    init(
        _ values: CallSequence<Input>,
        atMost limit: Int,
        _ transform: @escaping @Sendable (Input) async throws -> Element
    ) {
        (self.values, self.transform) = (values, transform)
        window = TaskWindow(atMost: limit)
    }

    deinit {
        reader?.cancel()
        window.cancel()
    }

    nonisolated(nonsending) func next() async throws -> Element? {
        let reader = reader ?? read()
        self.reader = reader
        let window = window
        return try await withTaskCancellationHandler {
            try await window.next()
        } onCancel: {
            reader.cancel()
            window.cancel()
        }
    }

    private func read() -> Task<Void, Never> {
        // Unsafe: the loop waits for this task, which is the only one that makes the calls.
        nonisolated(unsafe) let values = values
        return Task { [transform, window] in
            do {
                var iterator = values.makeAsyncIterator()
                // Room comes first, so that nothing is read ahead.
                while await window.hasRoom(), let value = try await iterator.next() {
                    window.append(Task { try await transform(value) })
                }
                window.finish(nil)
            } catch {
                window.finish(error)
            }
        }
    }
}

/// Running tasks in their order, a limited number at a time.
private final class TaskWindow<Element: Sendable>: Sendable {
    private struct State {
        /// The tasks whose results have not been taken, the earliest first.
        var tasks: [Task<Element, any Error>] = []
        /// Whether there are no more values, and why.
        var isOver = false
        var error: (any Error)?
        var isCanceled = false
        /// The reader, which waits for room, and the loop, which waits for a task.
        var reader: CheckedContinuation<Void, Never>?
        var loop: CheckedContinuation<Void, Never>?
    }

    private let limit: Int
    private let state = Locked(State())

    init(atMost limit: Int) { self.limit = limit }

    /// Waits until there is room for a task; false if none is wanted any more.
    func hasRoom() async -> Bool {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard !state.isCanceled, state.tasks.count >= limit else { return false }
                state.reader = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
        return !state.withLock { $0.isCanceled }
    }

    func append(_ task: Task<Element, any Error>) {
        let (loop, isCanceled) = state.withLock { state in
            if !state.isCanceled { state.tasks.append(task) }
            return (state.loop.take(), state.isCanceled)
        }
        if isCanceled { task.cancel() }
        loop?.resume()
    }

    /// The values have ended, with an error if there is one.
    func finish(_ error: (any Error)?) {
        let loop = state.withLock { state in
            (state.isOver, state.error) = (true, error)
            return state.loop.take()
        }
        loop?.resume()
    }

    /// The result of the earliest task; `nil` after the last.
    func next() async throws -> Element? {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard state.tasks.isEmpty, !state.isOver, !state.isCanceled else { return false }
                state.loop = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
        try Task.checkCancellation()
        let (task, error) = state.withLock { ($0.tasks.first, $0.error) }
        guard let task else {
            if let error { throw error }
            return nil
        }
        let value = try await task.value
        let reader = state.withLock { state in
            if !state.tasks.isEmpty { state.tasks.removeFirst() }
            return state.reader.take()
        }
        reader?.resume()
        return value
    }

    func cancel() {
        let last = state.withLock { state in
            defer { state = State(isOver: true, isCanceled: true) }
            return state
        }
        for task in last.tasks { task.cancel() }
        last.reader?.resume()
        last.loop?.resume()
    }
}
