import Basics

/// One subscription to values that some work makes of the parts of other publishers, its sources.
///
/// Parts are asked for as they are wanted, so that no more are kept. One thread at a time runs the stage, outside the
/// lock. What others bring meanwhile waits under the lock until that thread looks: demand, parts, ends, and a cancel.
/// So the error of a cancel waits for a value that is being delivered, and the number of values does not add to the
/// stack.
package final class PullStage<Output>: Subscription, @unchecked Sendable {  // unchecked: one thread at a time runs it
    package typealias Completion = Subscribers.Completion<any Error>

    private let state = Locked(PullState())
    private let work: any PullWork<Output>
    private let series: (any PullSeries)?
    /// The number of this part of the series.
    private var part: Int?
    /// Nil once the stage is over.
    private var downstream: AnySubscriber<Output, any Error>?
    /// The demand that has not been met.
    package private(set) var demand = Subscribers.Demand.none
    /// The number of the last source.
    private var sources = 0

    /// Unless it is nil, the series cancels the subscription: it fails with the error of the series then.
    package init(
        _ work: any PullWork<Output>,
        for downstream: AnySubscriber<Output, any Error>,
        in series: (any PullSeries)? = nil
    ) {
        (self.work, self.downstream, self.series) = (work, downstream, series)
    }

    deinit { if let part { series?.end(part) } }

    /// Whether a value is wanted.
    package var isWanted: Bool { demand > .none }

    /// Hands the subscription to the subscriber, and begins.
    package func begin() {
        downstream?.receive(subscription: self)
        if let series {
            part = series.begin { [weak self] in self?.stop(.cut($0)) }
            if part == nil { stop(.cut(series.cause)) }
        }
        _ = run(state.withLockUnchecked { $0.look() })
    }
}

// MARK: The sources

extension PullStage {
    /// Subscribes to the source of further parts. Only for the thread that runs the stage. An earlier source that has not
    /// ended stays, until it or the stage ends.
    ///
    /// - Parameters:
    ///   - source: The publisher of the parts.
    ///   - end: The end of the call that the source is a part of. It is told when the source ends.
    ///   - take: Takes a part.
    ///   - finish: Takes the end of the source.
    package func attach<Source: Publisher>(
        to source: Source,
        following end: (any PullOwner)? = nil,
        _ take: @escaping (Source.Output) -> Void,
        end finish: @escaping (Completion) -> Void
    ) {
        sources += 1
        if let end { follow(end, reads: isWanted) }
        source.subscribe(PullReader(stage: self, number: sources, end: end, take: take, finish: finish))
    }

    /// Ends the call when this stage ends, and this stage when the call is canceled. A stage that `reads` is the reader
    /// of the body, as it is once it asks for parts.
    package func follow(_ end: any PullOwner, reads: Bool) {
        let isOpen = state.withLock { state in
            if state.isOpen { (state.end, state.hasBegun) = (end, reads) }
            return state.isOpen
        }
        guard isOpen else { return }
        if reads { end.begin(ObjectIdentifier(self)) }
        if end.series.begin({ [weak self] in self?.stop(.cut($0)) }) == nil { stop(.cut(end.series.cause)) }
    }

    /// Cancels the last source. Only for the thread that runs the stage.
    package func detach() {
        let number = sources
        sources += 1
        let source = state.withLockUnchecked { $0.source?.number == number ? $0.source.take() : nil }
        source?.subscription.cancel()
    }

    /// Performs an action as a part of this stage: now, or on the thread that runs it. A stage that is over does not.
    package func perform(_ action: @escaping () -> Void) {
        guard state.withLockUnchecked({ $0.enter(with: action) }) else { return }
        action()
        _ = run(.look(nil, .none))
    }

    fileprivate func receive(_ subscription: any Subscription, of number: Int) {
        let (isWanted, runs) = state.withLockUnchecked { state in
            guard state.isOpen else { return (false, false) }
            (state.earlier, state.source, state.asked) = (state.source ?? state.earlier, (number, subscription), .none)
            return (true, state.enter(with: nil))
        }
        if !isWanted { subscription.cancel() }
        if runs { _ = run(.look(nil, .none), in: .ending) }
    }

    fileprivate func receive(_ action: @autoclosure @escaping () -> Void, of number: Int) -> Subscribers.Demand {
        let isFree = state.withLockUnchecked { state in
            if state.source?.number == number { state.asked -= 1 }
            return state.enter(with: action)
        }
        guard isFree else { return .none }
        action()
        return run(.look(nil, .none), in: .source(number))
    }

    fileprivate func receive(end action: @autoclosure @escaping () -> Void, of number: Int) {
        let (isFree, last) = state.withLockUnchecked { state in
            (state.enter(with: action), state.takeSource(number))
        }
        if isFree {
            action()
            _ = run(.look(nil, .none), in: .ending)
        }
        withExtendedLifetime(last) {}
    }
}

// MARK: The subscription

extension PullStage {
    package func request(_ demand: Subscribers.Demand) {
        let turn = state.withLockUnchecked { state in
            state.requested += demand
            return state.enter(with: nil) ? state.look() : nil
        }
        if let turn { _ = run(turn) }
    }

    package func cancel() { stop(.over) }

    /// Ends the stage from outside. A value that is being delivered comes first.
    private func stop(_ standing: PullState.Standing) {
        guard let (last, isFree) = state.withLockUnchecked({ $0.stop(standing) }) else { return }
        _ = last.end?.end(.failure(standing.cause ?? CancellationError()), of: ObjectIdentifier(self))
        last.earlier?.subscription.cancel()
        last.source?.subscription.cancel()
        if isFree { close(with: standing.cause.map { .failure($0) }) }
    }

    /// Runs the stage until there is nothing more to do.
    ///
    /// - Returns: Further demand for the source whose part is being received.
    private func run(_ turn: PullState.Turn, in place: PullState.Place = .outside) -> Subscribers.Demand {
        var turn = turn
        while true {
            switch turn {
            case .look(let news, let more):
                demand += more
                news?()
            case .ask(let source, let parts, let end, let leaves):
                end?.begin(ObjectIdentifier(self))
                source.request(parts)
                if leaves { return .none }
            case .leave(let parts): return parts
            case .over(let cause):
                close(with: cause.map { .failure($0) })
                return .none
            }
            do {
                guard let next = try step(in: place) else { return .none }
                turn = next
            } catch {
                finish(.failure(error), isOwn: true)
                return .none
            }
        }
    }

    /// Makes the next step; `nil` if that was the end.
    private func step(in place: PullState.Place) throws -> PullState.Turn? {
        switch try work.nextStep(in: self) {
        case .delivered:
            // Without demand, what follows is looked for before others can bring news.
            return demand > .none ? state.withLockUnchecked { $0.look() } : .look(nil, .none)
        case .parts(let parts): return state.withLockUnchecked { $0.ask(sources, for: parts, in: place) }
        case .end(let completion):
            finish(completion, isOwn: false)
            return nil
        }
    }

    /// Delivers a value. Only for the thread that runs the stage.
    package func deliver(_ value: Output) {
        if demand > .none { demand -= 1 }
        demand += downstream?.receive(value) ?? .none
    }

    private func finish(_ completion: Completion, isOwn: Bool) {
        guard let (last, _) = state.withLockUnchecked({ $0.stop(.over) }) else {
            let cause = state.withLock { $0.standing.cause }
            return close(with: cause.map { .failure($0) })
        }
        var completion = completion
        if case .failure = completion, let cause = series?.cancellation { completion = .failure(cause) }
        if let end = last.end {
            completion = end.seen(completion)
            end.end(isOwn ? .failure(CancellationError()) : completion, of: ObjectIdentifier(self))
        }
        last.earlier?.subscription.cancel()
        last.source?.subscription.cancel()
        close(with: completion)
    }

    private func close(with completion: Completion?) {
        let downstream = downstream.take()
        work.clear()
        if let completion { downstream?.receive(completion: completion) }
    }
}

extension PullSeries {
    /// The error of a series that has been canceled.
    fileprivate var cause: any Error { cancellation ?? CancellationError() }
}

/// The state of a stage, with the work that waits for the thread that runs it.
private struct PullState {
    typealias Source = (number: Int, subscription: any Subscription)

    enum Standing {
        /// A cut stage has been ended by its series, with an error.
        case open, cut(any Error), over

        var cause: (any Error)? { if case .cut(let cause) = self { cause } else { nil } }
    }

    /// Where the stage is run. A source that has delivered a part gets its demand by return. In the delivery of another
    /// one, or of an end, the stage is not left before its source is asked: many sources would nest.
    enum Place { case source(Int), ending, outside }

    enum Turn {
        case look((() -> Void)?, Subscribers.Demand)
        case ask(any Subscription, Subscribers.Demand, (any PullOwner)?, leaves: Bool)
        case leave(Subscribers.Demand)
        case over(cause: (any Error)?)
    }

    private(set) var standing = Standing.open
    var isOpen: Bool { if case .open = standing { true } else { false } }
    /// Whether a thread runs the stage: at first the one that begins it, and none again after the end.
    private var isRunning = true
    /// The demand, and what the sources have brought, since that thread has looked.
    var requested = Subscribers.Demand.none
    private var news = Queue<() -> Void>()
    var source: Source?
    /// A source that has not ended before the last one was attached.
    var earlier: Source?
    /// The number of parts that the source has been asked for.
    var asked = Subscribers.Demand.none
    /// The call that ends with the stage, and whether it knows that this stage reads.
    var end: (any PullOwner)?
    var hasBegun = false

    /// True if the calling thread runs the stage from now on, and performs the action. Otherwise, that is news.
    mutating func enter(with action: (() -> Void)?) -> Bool {
        guard isOpen else { return false }
        if isRunning, let action { news.append(action) }
        defer { isRunning = true }
        return !isRunning
    }

    mutating func look() -> Turn {
        guard isOpen else { return .over(cause: standing.cause) }
        defer { requested = .none }
        return .look(news.popFirst(), requested)
    }

    /// Asks a source for parts, or leaves the stage if it has been asked for them, unless there is news.
    mutating func ask(_ number: Int, for parts: Subscribers.Demand, in place: Place) -> Turn {
        guard isOpen, news.isEmpty, requested == .none else { return look() }
        guard parts > asked, let source, source.number == number else {
            isRunning = false
            return .leave(.none)
        }
        let more = parts - asked
        asked = parts
        let begun = hasBegun
        hasBegun = true
        if case .source(number) = place {
            isRunning = false
            return .leave(more)
        }
        if case .outside = place { isRunning = false }
        return .ask(source.subscription, more, begun ? nil : end, leaves: !isRunning)
    }

    mutating func takeSource(_ number: Int) -> Source? {
        if source?.number == number { return source.take() }
        return earlier?.number == number ? earlier.take() : nil
    }

    /// Ends the stage, unless that is over, and returns the last state, to be released outside the lock. The flag is
    /// whether no thread runs the stage.
    mutating func stop(_ standing: Standing) -> (last: PullState, isFree: Bool)? {
        guard isOpen else { return nil }
        let last = self
        (self.standing, isRunning, news, source, earlier, end) = (standing, true, Queue(), nil, nil, nil)
        return (last, !last.isRunning)
    }
}

/// Reads a source of a stage.
private struct PullReader<Input, Failure: Error, Output>: Subscriber {
    let stage: PullStage<Output>
    let number: Int
    let end: (any PullOwner)?
    let take: (Input) -> Void
    let finish: (Subscribers.Completion<any Error>) -> Void

    var combineIdentifier: CombineIdentifier { CombineIdentifier(stage) }

    func receive(subscription: any Subscription) { stage.receive(subscription, of: number) }

    func receive(_ part: Input) -> Subscribers.Demand { stage.receive(take(part), of: number) }

    func receive(completion: Subscribers.Completion<Failure>) {
        var completion: Subscribers.Completion<any Error> =
            switch completion {
            case .finished: .finished
            case .failure(let error): .failure(error)
            }
        if let end {
            completion = end.seen(completion)
            end.end(completion, of: ObjectIdentifier(stage))
        }
        stage.receive(end: finish(completion), of: number)
    }
}
