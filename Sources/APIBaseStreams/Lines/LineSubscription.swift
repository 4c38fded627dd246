import Basics

/// One subscription to the lines of a publisher of bytes.
///
/// It requests a chunk when there is demand and no line left, so it keeps one chunk and the beginning of a line at
/// most. (`flatMap` would request a chunk before the last line of the previous one is wanted, keep that for each chunk,
/// and drop it when the bytes fail.)
final class LineSubscription<Line, Downstream: Subscriber>
where Downstream.Input == Line, Downstream.Failure == any Error {
    fileprivate struct State {
        /// Nil once the stream is over.
        var downstream: Downstream?
        var splitter: LineSplitter<Line>
        var upstream: (any Subscription)?
        var demand = Subscribers.Demand.none
        /// The next line, until there is demand for it.
        var next: Result<Line, RequestError>?
        /// True if a chunk has been requested and has not come.
        var isAwaitingChunk = false
        /// The completion of upstream; nil if it has not ended.
        var end: Subscribers.Completion<any Error>?
    }

    fileprivate enum Step {
        case request(any Subscription)
        case deliver(Line, Downstream)
        /// Upstream is canceled before, unless it has ended.
        case end(Subscribers.Completion<any Error>, Downstream, (any Subscription)?)
    }

    private let loop = Trampoline()
    private let state: Locked<State>

    init(_ splitter: LineSplitter<Line>, for downstream: Downstream) {
        state = Locked(uncheckedState: State(downstream: downstream, splitter: splitter))
    }

    private func run() {
        loop.run { [self] in
            while let step = state.withLock({ $0.nextStep() }) {
                switch step {
                case .request(let upstream): upstream.request(.max(1))
                case .deliver(let line, let downstream):
                    let more = downstream.receive(line)
                    if more > .none { state.withLock { $0.demand += more } }
                case .end(let completion, let downstream, let upstream):
                    upstream?.cancel()
                    downstream.receive(completion: completion)
                }
            }
        }
    }
}

extension LineSubscription.State {
    /// The next step; nil if there is nothing to do now.
    fileprivate mutating func nextStep() -> LineSubscription.Step? {
        guard let downstream else { return nil }
        if next == nil { next = splitter.next() }
        if next == nil, case .finished? = end { next = splitter.takeRest() }
        switch next {
        case .success(let line)? where demand > .none:
            next = nil
            demand -= 1
            return .deliver(line, downstream)
        case .failure(let error)?:
            defer { close() }
            return .end(.failure(error), downstream, end == nil ? upstream : nil)
        case nil:
            if let end {
                defer { close() }
                return .end(end, downstream, nil)
            }
            guard demand > .none, !isAwaitingChunk, let upstream else { return nil }
            isAwaitingChunk = true
            return .request(upstream)
        default: return nil
        }
    }

    fileprivate mutating func close() {
        (downstream, upstream, next) = (nil, nil, nil)
        splitter.clear()
    }
}

extension LineSubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        run()
    }

    func cancel() {
        let last = state.withLock { state in
            defer { state.close() }
            return state
        }
        if last.end == nil { last.upstream?.cancel() }
    }
}

extension LineSubscription: Subscriber {
    typealias Input = Data
    typealias Failure = any Error

    func receive(subscription: any Subscription) {
        let downstream = state.withLockUnchecked { state -> Downstream? in
            guard state.upstream == nil else { return nil }
            state.upstream = subscription
            return state.downstream
        }
        guard let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
    }

    func receive(_ chunk: Data) -> Subscribers.Demand {
        state.withLock { state in
            state.isAwaitingChunk = false
            if state.downstream != nil { state.splitter.take(chunk) }
        }
        run()
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        state.withLock { $0.end = completion }
        run()
    }
}
