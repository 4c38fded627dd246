extension Publishers {
    /// A publisher of each result of combining the values so far with the next.
    public struct Scan<Upstream: Publisher, Output>: Publisher {
        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// What the first value is combined with.
        public let initialResult: Output

        /// Combines the last result with the next value.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// Creates the publisher.
        @inlinable
        public init(
            upstream: Upstream,
            initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Relay(ScanStage(initialResult, nextPartialResult), subscriber))
        }
    }
}

extension Publisher {
    /// Combines the last result with each value, and publishes every result.
    @inlinable
    public func scan<T>(
        _ initialResult: T,
        _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Publishers.Scan<Self, T> {
        Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}

@usableFromInline
struct ScanStage<Input, Output, UpstreamFailure: Error>: RelayStage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = UpstreamFailure

    @usableFromInline let result: Cell<Output>
    @usableFromInline let combine: (Output, Input) -> Output

    @inlinable
    init(_ initial: Output, _ combine: @escaping (Output, Input) -> Output) {
        result = Cell(initial)
        self.combine = combine
    }

    @inlinable
    func output(for input: Input) -> Output? {
        let next = combine(result.value, input)
        result.value = next
        return next
    }
}
