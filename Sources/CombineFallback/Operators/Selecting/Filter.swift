extension Publishers {
    /// A publisher of the values that a closure accepts.
    public struct Filter<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is published.
        public let isIncluded: (Upstream.Output) -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
            (self.upstream, self.isIncluded) = (upstream, isIncluded)
        }

        @inlinable func receive(erased downstream: Downstream) {
            relay(to: downstream) { [isIncluded] in isIncluded($0) ? $0 : nil }
        }
    }

    /// A publisher of the values that a throwing closure accepts.
    public struct TryFilter<Upstream: Publisher>: ValuePassing, Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is published.
        public let isIncluded: (Upstream.Output) throws -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
            (self.upstream, self.isIncluded) = (upstream, isIncluded)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "TryFilter") { [isIncluded] in try isIncluded($0) ? .pass($0) : .skip }
        }
    }

    /// A publisher that transforms each value and drops those that become nil.
    public struct CompactMap<Upstream: Publisher, Output>: FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms a value, or returns nil to drop it.
        public let transform: (Upstream.Output) -> Output?
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
            (self.upstream, self.transform) = (upstream, transform)
        }

        @inlinable func receive(erased downstream: Downstream) {
            relay(to: downstream) { [transform] in transform($0) }
        }
    }

    /// A publisher that transforms each value with a throwing closure, and drops those that become nil.
    public struct TryCompactMap<Upstream: Publisher, Output>: Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms a value, or returns nil to drop it.
        public let transform: (Upstream.Output) throws -> Output?
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
            (self.upstream, self.transform) = (upstream, transform)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "TryCompactMap") { [transform] in try transform($0).map { .pass($0) } ?? .skip }
        }
    }
}

extension Publisher {
    /// Publishes the values that `isIncluded` accepts.
    @inlinable public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
        Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }

    /// Publishes the values that `isIncluded` accepts; if it throws, cancels upstream and fails with its error.
    @inlinable public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
        Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
    }

    /// Transforms each value with a closure, and drops those that become nil.
    @inlinable public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }

    /// Transforms each value with a closure, and drops those that become nil; if it throws, cancels upstream and
    /// fails with its error.
    @inlinable
    public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Self, T> {
        Publishers.TryCompactMap(upstream: self, transform: transform)
    }
}

extension Publishers.Filter {
    /// Publishes the values that both closures accept, in one step instead of two.
    @inlinable public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
        Publishers.Filter(upstream: upstream) { [first = self.isIncluded] in first($0) && isIncluded($0) }
    }

    /// Publishes the values that both closures accept, in one step instead of two.
    @inlinable public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream>
    {
        Publishers.TryFilter(upstream: upstream) { [first = self.isIncluded] in try first($0) && isIncluded($0) }
    }
}

extension Publishers.TryFilter {
    /// Publishes the values that both closures accept, in one step instead of two.
    @inlinable public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
        tryFilter(isIncluded)
    }

    /// Publishes the values that both closures accept, in one step instead of two.
    @inlinable public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream>
    {
        Publishers.TryFilter(upstream: upstream) { [first = self.isIncluded] in try first($0) && isIncluded($0) }
    }
}

extension Publishers.CompactMap {
    /// Transforms the remaining values, in one step instead of two.
    @inlinable public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
        Publishers.CompactMap<Upstream, T>(upstream: upstream) { [first = self.transform] in
            first($0).flatMap(transform)
        }
    }

    /// Transforms the remaining values, in one step instead of two.
    @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
        compactMap(transform)
    }
}

extension Publishers.TryCompactMap {
    /// Transforms the remaining values, in one step instead of two.
    @inlinable
    public func compactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Upstream, T> {
        Publishers.TryCompactMap<Upstream, T>(upstream: upstream) { [first = self.transform] in
            try first($0).flatMap(transform)
        }
    }
}
