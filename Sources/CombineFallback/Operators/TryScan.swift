extension Publishers {
    /// A publisher of each result of combining the values so far with the next, by a closure that may throw.
    public struct TryScan<Upstream: Publisher, Output>: Publisher {
        /// Upstream's failure, or what the closure throws.
        public typealias Failure = any Error

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// What the first value is combined with.
        public let initialResult: Output

        /// Combines the last result with the next value.
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output

        /// Creates the publisher.
        @inlinable
        public init(
            upstream: Upstream,
            initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(
                Conduit(
                    TryScanStage<_, Upstream.Failure, _>(initialResult, nextPartialResult),
                    AnySubscriber(subscriber)
                )
            )
        }
    }
}

extension Publisher {
    /// Combines the last result with each value, and publishes every result; if the closure throws, cancels upstream
    /// and fails with its error.
    @inlinable
    public func tryScan<T>(
        _ initialResult: T,
        _ nextPartialResult: @escaping (T, Output) throws -> T
    ) -> Publishers.TryScan<Self, T> {
        Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}

@usableFromInline
struct TryScanStage<Input, UpstreamFailure: Error, Output>: Stage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = any Error

    @inlinable static var name: String { "TryScan" }
    @usableFromInline let result: Cell<Output>
    @usableFromInline let combine: (Output, Input) throws -> Output

    @inlinable
    init(_ initial: Output, _ combine: @escaping (Output, Input) throws -> Output) {
        result = Cell(initial)
        self.combine = combine
    }

    @inlinable
    func step(for input: Input) -> Step<Output, any Error> {
        do {
            let next = try combine(result.value, input)
            result.value = next
            return .pass(next)
        } catch {
            return .fail(error)
        }
    }
}
