extension Publishers {
    /// A publisher of all results of combining the values so far.
    public struct Scan<Upstream: Publisher, Output>: FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The initial result, which is combined with the first value.
        public let initialResult: Output
        /// Combines the last result with the next value.
        public let nextPartialResult: (Output, Upstream.Output) -> Output
        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            (self.upstream, self.initialResult, self.nextPartialResult) = (upstream, initialResult, nextPartialResult)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var result = initialResult
            relay(to: downstream) { [nextPartialResult] in
                result = nextPartialResult(result, $0)
                return result
            }
        }
    }

    /// A publisher of each result of combining the values so far with the next, by a throwing closure.
    public struct TryScan<Upstream: Publisher, Output>: Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The initial result, which is combined with the first value.
        public let initialResult: Output
        /// Combines the last result with the next value.
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output
        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            initialResult: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
        ) {
            (self.upstream, self.initialResult, self.nextPartialResult) = (upstream, initialResult, nextPartialResult)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var result = initialResult
            stage(for: downstream, as: "TryScan") { [nextPartialResult] in
                result = try nextPartialResult(result, $0)
                return .pass(result)
            }
        }
    }
}

extension Publisher {
    /// Combines the last result with each value, and publishes every result.
    @inlinable public func scan<T>(_ first: T, _ next: @escaping (T, Output) -> T) -> Publishers.Scan<Self, T> {
        Publishers.Scan(upstream: self, initialResult: first, nextPartialResult: next)
    }

    /// Combines the last result with each value, and publishes every result; if the closure throws, cancels upstream
    /// and fails with its error.
    @inlinable public func tryScan<T>(
        _ first: T,
        _ next: @escaping (T, Output) throws -> T
    ) -> Publishers.TryScan<Self, T> {
        Publishers.TryScan(upstream: self, initialResult: first, nextPartialResult: next)
    }
}
