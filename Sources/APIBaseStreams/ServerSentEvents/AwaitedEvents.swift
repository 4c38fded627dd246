import Basics
import HTTPTransport

/// The events of one response. The first is awaited before the response is delivered; then one subscriber reads them,
/// each when there is demand for it. One is read ahead, so that the end is seen without demand. A failure waits until
/// that one has been delivered.
///
/// After the end mark, the rest of the body is read for a moment, so that the connection can be used again.
final class AwaitedEvents: Sendable {
    typealias Completion = Subscribers.Completion<any Error>
    /// Takes true if there is an event.
    typealias Receiver = (Result<Bool, any Error>) -> Void

    fileprivate struct State {
        /// Waits for the first event, or the end.
        var then: Receiver?
        var upstream: (any Subscription)?
        var downstream: AnySubscriber<ServerSentEvent, any Error>?
        var demand = Subscribers.Demand.none
        /// The next event, until there is demand for it.
        var next: ServerSentEvent?
        /// Whether an event has been requested and has not come.
        var isAwaitingEvent = false
        /// The wait for the end of the body, after the end mark.
        var rest: CallWait?
        var isComplete = false
        var end: Completion?
        var isCanceled = false
        /// Whether there has been a subscriber.
        var isClaimed = false
    }

    fileprivate enum Step {
        case request(any Subscription)
        case begin(Receiver, Result<Bool, any Error>)
        case deliver(ServerSentEvent, AnySubscriber<ServerSentEvent, any Error>)
        case end(Completion, AnySubscriber<ServerSentEvent, any Error>)
    }

    /// The longest wait for the end of the body after the end mark.
    private static let longestRest = Duration.milliseconds(100)

    private let endMark: String?
    private let loop = Trampoline()
    private let state = Locked(State())

    /// - Parameter endMark: The data of the event after which there are no others; `nil` if they end with the body.
    init(endMark: String?) { self.endMark = endMark }

    /// Subscribes to the events of a response, and waits for the first, or the end.
    func awaitFirst(of events: AnyPublisher<ServerSentEvent, any Error>, then: @escaping Receiver) {
        state.withLockUnchecked { if !$0.isCanceled { $0.then = then } }
        events.subscribe(self)
    }

    /// Cancels the response, unless its first event has been announced: then it belongs to the ``publisher``.
    func stopAwaiting() {
        if state.withLock({ $0.then != nil }) { cancel() }
    }

    /// The events, for one subscriber. Without one, releasing the publisher cancels the response.
    var publisher: AnyPublisher<ServerSentEvent, any Error> {
        let unclaimed = UnclaimedEvents(events: self)
        return ColdPublisher<ServerSentEvent, any Error> { subscriber in
            unclaimed.events.claim(for: subscriber)
            return unclaimed.events
        }
        .eraseToAnyPublisher()
    }

    private func claim(for subscriber: AnySubscriber<ServerSentEvent, any Error>) {
        state.withLockUnchecked { state in
            state.isClaimed = true
            if !state.isCanceled { state.downstream = subscriber }
        }
    }

    fileprivate func abandon() {
        if state.withLock({ !$0.isClaimed }) { cancel() }
    }

    private func run() {
        loop.run { [self] in
            while let step = state.withLockUnchecked({ $0.nextStep() }) {
                switch step {
                case .request(let upstream): upstream.request(.max(1))
                case .begin(let then, let result): then(result)
                case .deliver(let event, let downstream):
                    let more = downstream.receive(event)
                    if more > .none { state.withLock { $0.demand += more } }
                case .end(let completion, let downstream): downstream.receive(completion: completion)
                }
            }
        }
    }
}

extension AwaitedEvents.State {
    /// The next step; `nil` if there is nothing to do now.
    fileprivate mutating func nextStep() -> AwaitedEvents.Step? {
        if next == nil, let end {
            if let then = then.take() { return .begin(then, end.result) }
            return downstream.take().map { .end(end, $0) }
        }
        if next != nil {
            if let then = then.take() { return .begin(then, .success(true)) }
            guard demand > .none, let downstream, let event = next.take() else { return nil }
            demand -= 1
            return .deliver(event, downstream)
        }
        guard !isAwaitingEvent, !isComplete, let upstream else { return nil }
        isAwaitingEvent = true
        return .request(upstream)
    }
}

extension AwaitedEvents: Subscriber {
    typealias Input = ServerSentEvent
    typealias Failure = any Error

    func receive(subscription: any Subscription) {
        let isWanted = state.withLockUnchecked { state in
            if !state.isCanceled { state.upstream = subscription }
            return !state.isCanceled
        }
        if isWanted { run() } else { subscription.cancel() }
    }

    func receive(_ event: ServerSentEvent) -> Subscribers.Demand {
        let isEnd = state.withLock { state in
            state.isAwaitingEvent = false
            guard !state.isComplete, !state.isCanceled else { return false }
            state.isComplete = event.isEnd(endMark)
            if !state.isComplete { state.next = event }
            return state.isComplete
        }
        if isEnd { awaitEnd() } else { run() }
        return isEnd ? .unlimited : .none
    }

    func receive(completion: Completion) {
        let rest = state.withLock { state in
            if state.end == nil { state.end = endMark == nil || state.isComplete ? completion : completion.cutOff }
            if state.isComplete { state.end = .finished }
            state.upstream = nil
            return state.rest.take()
        }
        rest?.cancel()
        run()
    }

    /// Waits for the end of the body, which follows the end mark.
    private func awaitEnd() {
        let rest = WallClock.shared.wait(Self.longestRest) { [self] in
            let upstream = state.withLockUnchecked { $0.upstream.take() }
            upstream?.cancel()
            receive(completion: .finished)
        }
        let isOver = state.withLock { state in
            if state.end == nil { state.rest = rest }
            return state.end != nil
        }
        if isOver { rest?.cancel() }
    }
}

extension AwaitedEvents: Subscription {
    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        run()
    }

    func cancel() {
        let last = state.withLock { state in
            defer { state = State(isCanceled: true, isClaimed: state.isClaimed) }
            return state
        }
        last.rest?.cancel()
        last.upstream?.cancel()
    }
}

/// The events of a response without a subscriber yet.
private final class UnclaimedEvents: Sendable {
    let events: AwaitedEvents

    init(events: AwaitedEvents) { self.events = events }

    deinit { events.abandon() }
}

extension Subscribers.Completion<any Error> {
    /// The completion of events that have ended without their end mark.
    fileprivate var cutOff: Self { if case .finished = self { .failure(RequestError.streamCutOff) } else { self } }

    fileprivate var result: Result<Bool, any Error> {
        if case .failure(let error) = self { .failure(error) } else { .success(false) }
    }
}
