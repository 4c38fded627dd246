extension Publishers {
    /// A publisher of all values in one array.
    public struct Collect<Upstream: Publisher>: Publisher {
        /// All values.
        public typealias Output = [Upstream.Output]

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
            upstream.attach(Conduit(CollectStage(), AnySubscriber(subscriber)))
        }
    }
}

extension Publisher {
    /// Publishes all values in one array when upstream finishes, as soon as there is demand for it.
    @inlinable
    public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
}

@usableFromInline
struct CollectStage<Input, UpstreamFailure: Error>: Stage {
    @usableFromInline typealias Output = [Input]
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = UpstreamFailure

    @inlinable static var name: String { "Collect" }
    @inlinable static var pull: Pull { .everything }
    @usableFromInline let collected = Cell<[Input]>([])

    @inlinable
    init() {}

    @inlinable
    func step(for input: Input) -> Step<[Input], Failure> {
        collected.value.append(input)
        return .skip
    }

    @inlinable
    func ending(for completion: Subscribers.Completion<Failure>) -> Ending<[Input], Failure> {
        if case .finished = completion { .last(collected.value) } else { Ending(completion) }
    }
}
