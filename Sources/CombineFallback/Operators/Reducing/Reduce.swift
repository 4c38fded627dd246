extension Publishers {
    /// A publisher of all values combined into one.
    public struct Reduce<Upstream: Publisher, Output>: FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The initial result, which is combined with the first value.
        public let initial: Output
        /// Combines the last result with the next value.
        public let nextPartialResult: (Output, Upstream.Output) -> Output
        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            initial: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            (self.upstream, self.initial, self.nextPartialResult) = (upstream, initial, nextPartialResult)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var result = initial
            stage(for: downstream, as: "Reduce", pulling: .everything, atEnd: { result }) { [nextPartialResult] in
                result = nextPartialResult(result, $0)
                return .skip
            }
        }
    }

    /// A publisher of all values combined into one by a throwing closure.
    public struct TryReduce<Upstream: Publisher, Output>: Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The initial result, which is combined with the first value.
        public let initial: Output
        /// Combines the last result with the next value.
        public let nextPartialResult: (Output, Upstream.Output) throws -> Output
        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            initial: Output,
            nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
        ) {
            (self.upstream, self.initial, self.nextPartialResult) = (upstream, initial, nextPartialResult)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var result = initial
            stage(for: downstream, as: "TryReduce", pulling: .everything, atEnd: { result }) { [nextPartialResult] in
                result = try nextPartialResult(result, $0)
                return .skip
            }
        }
    }

    /// A publisher of the first value in an order.
    public struct Comparison<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether the first of two values precedes the second.
        public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool
        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            (self.upstream, self.areInIncreasingOrder) = (upstream, areInIncreasingOrder)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var least: Upstream.Output?
            stage(for: downstream, as: "Comparison", pulling: .everything, atEnd: { least }) { [areInIncreasingOrder] in
                if let found = least, !areInIncreasingOrder($0, found) { return .skip }
                least = $0
                return .skip
            }
        }
    }

    /// A publisher of the first value in the order of a throwing closure.
    public struct TryComparison<Upstream: Publisher>: ValuePassing, Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether the first of two values precedes the second.
        public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool
        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
        ) {
            (self.upstream, self.areInIncreasingOrder) = (upstream, areInIncreasingOrder)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var least: Upstream.Output?
            stage(for: downstream, as: "TryComparison", pulling: .everything, atEnd: { least }) {
                [areInIncreasingOrder] in
                if let found = least, try !areInIncreasingOrder($0, found) { return .skip }
                least = $0
                return .skip
            }
        }
    }

    /// A publisher of the number of values.
    public struct Count<Upstream: Publisher>: FailurePassing {
        /// The number of values.
        public typealias Output = Int

        /// The upstream publisher.
        public let upstream: Upstream
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable func receive(erased downstream: Downstream) {
            var count = 0
            stage(for: downstream, as: "Count", pulling: .everything, atEnd: { count }) { _ in
                count += 1
                return .skip
            }
        }
    }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Combines all values into one, which is published when upstream finishes, as soon as there is demand;
    /// without values, `first`.
    @inlinable public func reduce<T>(_ first: T, _ next: @escaping (T, Output) -> T) -> Publishers.Reduce<Self, T> {
        Publishers.Reduce(upstream: self, initial: first, nextPartialResult: next)
    }

    /// Does what ``reduce(_:_:)`` does; if the closure throws, cancels upstream and fails with its error.
    @inlinable public func tryReduce<T>(
        _ first: T,
        _ next: @escaping (T, Output) throws -> T
    ) -> Publishers.TryReduce<Self, T> {
        Publishers.TryReduce(upstream: self, initial: first, nextPartialResult: next)
    }

    /// Publishes the number of values when upstream finishes, as soon as there is demand.
    @inlinable public func count() -> Publishers.Count<Self> { Publishers.Count(upstream: self) }

    /// Publishes the least value, the first of equal ones, when upstream finishes, as soon as there is demand;
    /// without values, nothing.
    @inlinable public func min(by precedes: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
        Publishers.Comparison(upstream: self, areInIncreasingOrder: precedes)
    }

    /// Does what ``min(by:)`` does; if the closure throws, cancels upstream and fails with its error.
    @inlinable public func tryMin(
        by precedes: @escaping (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> {
        Publishers.TryComparison(upstream: self, areInIncreasingOrder: precedes)
    }

    /// Publishes the greatest value, the first of equal ones, when upstream finishes, as soon as there is demand for
    /// it; without values, nothing.
    @inlinable public func max(by precedes: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
        min { precedes($1, $0) }
    }

    /// Does what ``max(by:)`` does; if the closure throws, cancels upstream and fails with its error.
    @inlinable public func tryMax(
        by precedes: @escaping (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> {
        tryMin { try precedes($1, $0) }
    }
}

extension Publisher where Output: Comparable {
    /// Publishes the least value when upstream finishes, as soon as there is demand; without values, nothing.
    @inlinable public func min() -> Publishers.Comparison<Self> { min(by: <) }

    /// Publishes the greatest value when upstream finishes, as soon as there is demand; without values, nothing.
    @inlinable public func max() -> Publishers.Comparison<Self> { max(by: <) }
}
