extension Publishers {
    /// A publisher that publishes a value if upstream finishes without any.
    public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// What is published if there is nothing else.
        public let output: Upstream.Output

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Conduit(ReplaceEmptyStage(output: output), AnySubscriber(subscriber)))
        }
    }
}

extension Publisher {
    /// If upstream finishes without a value, publishes `output` as soon as there is demand for it, and finishes.
    @inlinable
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
        Publishers.ReplaceEmpty(upstream: self, output: output)
    }
}

@usableFromInline
struct ReplaceEmptyStage<Output, UpstreamFailure: Error>: Stage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = UpstreamFailure

    @inlinable static var name: String { "ReplaceEmpty" }
    @inlinable static var pull: Pull { .counted }
    @usableFromInline let output: Output
    @usableFromInline let isEmpty = Cell(true)

    @inlinable
    init(output: Output) { self.output = output }

    @inlinable
    func step(for input: Output) -> Step<Output, Failure> {
        isEmpty.value = false
        return .pass(input)
    }

    @inlinable
    func ending(for completion: Subscribers.Completion<Failure>) -> Ending<Output, Failure> {
        if case .finished = completion, isEmpty.value { .last(output) } else { Ending(completion) }
    }
}
