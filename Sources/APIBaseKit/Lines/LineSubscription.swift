import Basics

/// One subscription to the lines of a publisher of bytes.
///
/// It asks for a chunk when there is demand and no line left, so that what is kept is one chunk and the beginning of a line.
/// (`flatMap` would ask for the next one although the last line of a chunk is not wanted yet, and keep that for each chunk.)
/// Whoever finds nobody delivering delivers; all others leave word and return, so neither many lines nor many chunks need a deep
/// stack.
final class LineSubscription<Line, Downstream: Subscriber>
where Downstream.Input == Line, Downstream.Failure == any Error {
    fileprivate struct State {
        /// Nil once the stream is over.
        var downstream: Downstream?
        var splitter: LineSplitter<Line>
        var upstream: (any Subscription)?
        var demand = Subscribers.Demand.none
        /// The next line, until it is asked for.
        var next: Result<Line, RequestError>?
        /// Whether upstream owes a chunk.
        var isAsking = false
        /// Whether somebody is delivering.
        var isServing = false
        /// The completion of upstream; nil if it has not ended.
        var end: Subscribers.Completion<any Error>?
    }

    fileprivate enum Turn {
        case nothing
        case ask(any Subscription)
        case deliver(Line, Downstream)
        /// Upstream is cancelled before, unless it has ended.
        case end(Subscribers.Completion<any Error>, Downstream, (any Subscription)?)
    }

    private let state: Locked<State>

    init(_ splitter: LineSplitter<Line>, for downstream: Downstream) {
        state = Locked(State(downstream: downstream, splitter: splitter))
    }

    private func serve() {
        let isFree = state.withLock { state in
            defer { state.isServing = true }
            return !state.isServing
        }
        guard isFree else { return }
        while true {
            switch state.withLock({ $0.turn() }) {
            case .nothing: return
            case .ask(let upstream): upstream.request(.max(1))
            case .deliver(let line, let downstream):
                let more = downstream.receive(line)
                if more > .none { state.withLock { $0.demand += more } }
            case .end(let completion, let downstream, let upstream):
                upstream?.cancel()
                return downstream.receive(completion: completion)
            }
        }
    }
}

extension LineSubscription.State {
    /// The next step. After `nothing` and `end`, no thread is delivering.
    fileprivate mutating func turn() -> LineSubscription.Turn {
        guard let downstream else {
            isServing = false
            return .nothing
        }
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
        case nil where end != nil:
            defer { close() }
            return .end(end ?? .finished, downstream, nil)
        case nil where demand > .none && !isAsking:
            guard let upstream else { break }
            isAsking = true
            return .ask(upstream)
        default: break
        }
        isServing = false
        return .nothing
    }

    /// Lets go of everything.
    fileprivate mutating func close() {
        (downstream, upstream, next) = (nil, nil, nil)
        splitter.clear()
    }
}

extension LineSubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        serve()
    }

    func cancel() {
        let remains = state.withLock { state in
            defer { state.close() }
            return state
        }
        if remains.end == nil { remains.upstream?.cancel() }
    }
}

extension LineSubscription: Subscriber {
    typealias Input = Data
    typealias Failure = any Error

    func receive(subscription: any Subscription) {
        let downstream = state.withLock { state -> Downstream? in
            guard state.upstream == nil else { return nil }
            state.upstream = subscription
            return state.downstream
        }
        guard let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
    }

    func receive(_ chunk: Data) -> Subscribers.Demand {
        state.withLock { state in
            state.isAsking = false
            if state.downstream != nil { state.splitter.take(chunk) }
        }
        serve()
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        state.withLock { $0.end = completion }
        serve()
    }
}
