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

    /// The values of sources, one for each loop.
    package init(_ makeSource: @escaping () -> any ValueSource<Element>) { self.makeSource = makeSource }

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
package protocol ValueSource<Element>: AnyObject {
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
        upstream?.request(.max(1))
        var value: Element?
        // What has arrived before comes at once.
        if !starts, try reader.take(&value) {
            guard !Task.isCancelled else {
                reader.cancel(throwing: nil)
                throw CancellationError()
            }
            return value
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reader.wait { continuation.resume() }
                if starts { publisher.subscribe(reader) }
            }
        } onCancel: {
            reader.cancel(throwing: CancellationError())
        }
        _ = try reader.take(&value)
        return value
    }
}

/// Keeps the value that has been requested until it is taken.
private final class ValueReader<Output>: Subscriber, Sendable {
    typealias Input = Output
    typealias Failure = any Error

    private struct State {
        var upstream: (any Subscription)?
        var hasValue = false
        var end: Subscribers.Completion<any Error>?
        /// Waits for a value or the end.
        var then: (() -> Void)?

        var hasNews: Bool { hasValue || end != nil }
    }

    private let state = Locked(State())
    /// The value, if there is one. Only accessed under the lock.
    private nonisolated(unsafe) var value: Output?

    var upstream: (any Subscription)? { state.withLockUnchecked { $0.upstream } }

    /// Waits for a value or the end.
    func wait(then: @escaping () -> Void) {
        let isOver = state.withLockUnchecked { state in
            if !state.hasNews { state.then = then }
            return state.hasNews
        }
        if isOver { then() }
    }

    /// Takes the value, if there is one; false if neither that nor the end has come.
    func take(_ value: inout Output?) throws -> Bool {
        let (isThere, end) = state.withLockUnchecked { state in
            value = self.value.take()
            defer { state.hasValue = false }
            return (state.hasNews, state.hasValue ? nil : state.end)
        }
        if case .failure(let error)? = end { throw error }
        return isThere
    }

    func receive(subscription: any Subscription) {
        let isWanted = state.withLockUnchecked { state in
            if state.end == nil { state.upstream = subscription }
            return state.end == nil
        }
        if isWanted { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    func receive(_ value: Output) -> Subscribers.Demand {
        let then = state.withLockUnchecked { state -> (() -> Void)? in
            guard !state.hasNews else { return nil }
            self.value = value
            state.hasValue = true
            return state.then.take()
        }
        then?()
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) { _ = finish(completion) }

    /// Cancels the publisher. A loop that waits gets the error, if there is one.
    func cancel(throwing error: (any Error)?) { finish(error.map { .failure($0) } ?? .finished)?.cancel() }

    /// Ends the values, and returns the subscription if they had not ended.
    private func finish(_ end: Subscribers.Completion<any Error>) -> (any Subscription)? {
        let (then, upstream) = state.withLockUnchecked { state -> ((() -> Void)?, (any Subscription)?) in
            guard state.end == nil else { return (nil, nil) }
            state.end = end
            return (state.then.take(), state.upstream.take())
        }
        then?()
        return upstream
    }
}
