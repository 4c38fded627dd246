/// The subscription of a sequence: delivers as many elements as are asked for.
///
/// Demand made from inside a delivery is met after it, by the loop that is running.
@usableFromInline
struct SequenceSubscription<Elements: Sequence, Downstream: Subscriber>: Subscription, CustomStringConvertible
where Downstream.Input == Elements.Element {
    /// The iterator and its next element. Only the thread that runs the loop uses them.
    @usableFromInline struct Source {
        @usableFromInline var iterator: Elements.Iterator
        @usableFromInline var next: Elements.Element?

        @inlinable init(_ elements: Elements) {
            iterator = elements.makeIterator()
            next = iterator.next()
        }
    }

    @usableFromInline struct State {
        @usableFromInline let elements: Elements
        @usableFromInline let downstream: Downstream
        @usableFromInline var demand = Subscribers.Demand.none
        /// Nil while the loop is running.
        @usableFromInline var source: Source?

        @inlinable init(_ elements: Elements, _ source: Source, _ downstream: Downstream) {
            (self.elements, self.source, self.downstream) = (elements, source, downstream)
        }
    }

    /// Nil once the stream has ended.
    @usableFromInline let state: IdentifiedLock<State?>

    @inlinable init(_ elements: Elements, _ source: Source, for downstream: Downstream) {
        state = IdentifiedLock(State(elements, source, downstream))
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String {
        state.withLock { $0?.elements }.map { String(describing: $0) } ?? "Sequence"
    }

    @inlinable func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let start: (source: Source, downstream: Downstream)? = state.withLock { state in
            state?.demand += demand
            guard let downstream = state?.downstream, let source = state?.source.take() else { return nil }
            return (source, downstream)
        }
        if let start { run(start.source, start.downstream) }
    }

    @inlinable func run(_ start: Source, _ downstream: Downstream) {
        var source = start
        var returned = Subscribers.Demand.none
        while let value = source.next {
            let mayDeliver = state.withLock { state in
                guard var demand = state?.demand else { return false }
                demand += returned
                state?.demand = demand - 1
                if demand == .none { state?.source = source }
                return demand > .none
            }
            guard mayDeliver else { return }
            returned = downstream.receive(value)
            source.next = source.iterator.next()
        }
        if take() != nil { downstream.receive(completion: .finished) }
    }

    @inlinable func cancel() { _ = take() }

    @inlinable func take() -> State? { state.withLock { $0.take() } }
}
