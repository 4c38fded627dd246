extension Publishers {
    /// A publisher that ends with a value in place of a failure.
    public struct ReplaceError<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// It cannot fail.
        public typealias Failure = Never

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// What is published in place of a failure.
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
            upstream.attach(Conduit(ReplaceErrorStage(output: output), AnySubscriber(subscriber)))
        }
    }
}

extension Publisher {
    /// Publishes `output` in place of a failure, as soon as there is demand for it, and finishes.
    @inlinable
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        Publishers.ReplaceError(upstream: self, output: output)
    }
}

@usableFromInline
struct ReplaceErrorStage<Output, InputFailure: Error>: Stage {
    @usableFromInline typealias Input = Output
    @usableFromInline typealias Failure = Never

    @inlinable static var name: String { "ReplaceError" }
    @inlinable static var pull: Pull { .counted }
    @usableFromInline let output: Output

    @inlinable
    init(output: Output) { self.output = output }

    @inlinable
    func step(for input: Output) -> Step<Output, Never> { .pass(input) }

    @inlinable
    func ending(for completion: Subscribers.Completion<InputFailure>) -> Ending<Output, Never> {
        switch completion {
        case .finished: .finish
        case .failure: .last(output)
        }
    }
}
