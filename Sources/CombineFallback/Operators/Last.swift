extension Publishers {
    /// A publisher of the last value only.
    public struct Last<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Conduit(LastStage(), AnySubscriber(subscriber)))
        }
    }
}

extension Publisher {
    /// Publishes the last value when upstream finishes, as soon as there is demand for it.
    @inlinable
    public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }
}

@usableFromInline
struct LastStage<Output, UpstreamFailure: Error>: Stage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = UpstreamFailure

    @inlinable static var name: String { "Last" }
    @inlinable static var pull: Pull { .everything }
    @usableFromInline let last = Cell<Output?>(nil)

    @inlinable
    init() {}

    @inlinable
    func step(for input: Output) -> Step<Output, Failure> {
        last.value = input
        return .skip
    }

    @inlinable
    func ending(for completion: Subscribers.Completion<Failure>) -> Ending<Output, Failure> {
        if case .finished = completion, let last = last.value { .last(last) } else { Ending(completion) }
    }
}
