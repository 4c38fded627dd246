import Basics

/// The values of calls, as an asynchronous sequence that says if it was cut short.
///
/// ```swift
/// for try await order in OrdersRequest().eachElement() { … }
/// ```
///
/// When its task is canceled, a loop throws `CancellationError`, where one over a publisher's `values` ends as if it
/// were complete. The pace of the loop is that of the calls: a value is requested when the loop asks for it, and no
/// page or line is read ahead, and at most one event. What has arrived before a failure is delivered before it. Leaving the loop cancels the running call and closes its connection.
///
/// Each loop starts calls of its own, in the scope in which the sequence was made. The loop stays on its actor, and the
/// values need not be `Sendable`.
public struct CallSequence<Element>: AsyncSequence {
    /// Any error of a call, or `CancellationError`.
    public typealias Failure = any Error

    private let makeSource: () -> any ValueSource<Element>

    init(_ makeSource: @escaping () -> any ValueSource<Element>) { self.makeSource = makeSource }

    /// Creates a sequence of a publisher's values, for the kit's publishers and any other:
    ///
    /// ```swift
    /// for try await entry in CallSequence(LogRequest().jsonLines(of: Entry.self)) { … }
    /// ```
    ///
    /// Each loop subscribes once, and requests one value at a time. The errors are those of the publisher.
    public init<Upstream: Publisher>(_ publisher: Upstream) where Upstream.Output == Element {
        let publisher =
            publisher as? AnyPublisher<Element, any Error>
            ?? publisher.mapError { $0 as any Error }.eraseToAnyPublisher()
        self.init { PublishedValues(publisher) }
    }

    /// The position of a loop.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var source: (any ValueSource<Element>)?

        fileprivate init(_ source: any ValueSource<Element>) { self.source = source }

        /// The next value; `nil` at the end, and after an error.
        ///
        /// - Throws: `CancellationError` if the task is canceled, also after the last value, and the errors of the
        ///   calls.
        nonisolated(nonsending) public mutating func next() async throws -> Element? {
            try await next(isolation: #isolation)
        }

        /// The next value, on the actor of the caller.
        ///
        /// - Throws: As ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            guard let source else { return nil }
            do {
                try Task.checkCancellation()
                if let value = try await source.next() { return value }
                self.source = nil
                return nil
            } catch {
                self.source = nil
                throw error
            }
        }
    }

    /// Starts a loop. The first call is sent when the loop asks for the first value.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(makeSource()) }
}

extension CallSequence {
    /// The values, transformed one after another where the loop runs. The sequence ends and throws as this one does,
    /// and with the errors of `transform`.
    public func map<Value>(_ transform: @escaping (Element) throws -> Value) -> CallSequence<Value> {
        CallSequence<Value> { MappedValues(makeSource(), transform) }
    }
}

/// The values of another source, transformed.
private final class MappedValues<Input, Element>: ValueSource {
    private let source: any ValueSource<Input>
    private let transform: (Input) throws -> Element

    init(_ source: any ValueSource<Input>, _ transform: @escaping (Input) throws -> Element) {
        (self.source, self.transform) = (source, transform)
    }

    nonisolated(nonsending) func next() async throws -> Element? { try await source.next().map(transform) }
}

/// A source of values for one loop. Releasing it cancels what still runs.
protocol ValueSource<Element>: AnyObject {
    associatedtype Element

    nonisolated(nonsending) func next() async throws -> Element?
}

/// The values of a publisher, each requested when it is awaited.
private final class PublishedValues<Element>: ValueSource {
    private let publisher: AnyPublisher<Element, any Error>
    private let reader = ValueReader<Element>()
    private var hasStarted = false
    private var upstream: (any Subscription)?

    init(_ publisher: AnyPublisher<Element, any Error>) { self.publisher = publisher }

    deinit { reader.cancel(throwing: nil) }

    nonisolated(nonsending) func next() async throws -> Element? {
        let (starts, reader) = (!hasStarted, reader)
        hasStarted = true
        if !starts { upstream = upstream ?? reader.upstream }
        if let value = reader.valueAtHand(of: upstream) {
            guard !Task.isCancelled else {
                reader.cancel(throwing: nil)
                throw CancellationError()
            }
            return try value.get()
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                reader.wait { result in
                    // Unsafe: the publisher does not use the value after it has delivered it.
                    nonisolated(unsafe) let value = result
                    continuation.resume(with: value)
                }
                if starts { publisher.subscribe(reader) }
            }
        } onCancel: {
            reader.cancel(throwing: CancellationError())
        }
    }
}

/// Requests one value at a time.
private final class ValueReader<Output>: Subscriber, Sendable {
    typealias Input = Output
    typealias Failure = any Error
    typealias Receiver = (Result<Output?, any Error>) -> Void

    private struct State {
        var upstream: (any Subscription)?
        /// A value that has come while nobody waited.
        var value: Output?
        /// The closure that waits for the next value.
        var then: Receiver?
        var end: Result<Output?, any Error>?

        mutating func next() -> Result<Output?, any Error>? { value.take().map { .success($0) } ?? end }
    }

    private let state = Locked(State())

    var upstream: (any Subscription)? { state.withLockUnchecked { $0.upstream } }

    /// Requests a value, and returns it, or the end, if it comes at once, as one that has arrived before does. If not,
    /// it is waited for.
    func valueAtHand(of upstream: (any Subscription)?) -> Result<Output?, any Error>? {
        guard let upstream else { return nil }
        upstream.request(.max(1))
        return state.withLockUnchecked { $0.next() }
    }

    /// Waits for the value that has been requested, or the end.
    func wait(then: @escaping Receiver) {
        let next = state.withLockUnchecked { state in
            let next = state.next()
            if next == nil { state.then = then }
            return next
        }
        if let next { then(next) }
    }

    func receive(subscription: any Subscription) {
        let isWanted = state.withLockUnchecked { state in
            if state.end == nil { state.upstream = subscription }
            return state.end == nil
        }
        if isWanted { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    func receive(_ value: Output) -> Subscribers.Demand {
        let then = state.withLockUnchecked { state -> Receiver? in
            if state.then == nil, state.end == nil { state.value = value }
            return state.then.take()
        }
        then?(.success(value))
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        switch completion {
        case .finished: _ = finish(.success(nil))
        case .failure(let error): _ = finish(.failure(error))
        }
    }

    /// Cancels the publisher. A closure that waits is called with the error, if there is one.
    func cancel(throwing error: (any Error)?) {
        finish(error.map { .failure($0) } ?? .success(nil))?.cancel()
    }

    /// Ends the values, and returns the subscription if they had not ended.
    private func finish(_ end: Result<Output?, any Error>) -> (any Subscription)? {
        let (then, upstream) = state.withLockUnchecked { state -> (Receiver?, (any Subscription)?) in
            guard state.end == nil else { return (nil, nil) }
            state.end = end
            return (state.then.take(), state.upstream.take())
        }
        then?(end)
        return upstream
    }
}
