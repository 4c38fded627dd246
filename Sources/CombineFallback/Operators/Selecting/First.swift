extension Publishers {
    /// A publisher of the first value only.
    public struct First<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable
        func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "First", pulling: .everything) { .last($0) }
        }
    }

    /// A publisher of the first value that a closure accepts.
    public struct FirstWhere<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is published.
        public let predicate: (Upstream.Output) -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "FirstWhere", pulling: .everything) { [predicate] in
                predicate($0) ? .last($0) : .skip
            }
        }
    }

    /// A publisher of the first value that a throwing closure accepts.
    public struct TryFirstWhere<Upstream: Publisher>: ValuePassing, Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is published.
        public let predicate: (Upstream.Output) throws -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "TryFirstWhere", pulling: .everything) { [predicate] in
                try predicate($0) ? .last($0) : .skip
            }
        }
    }
}

extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Publishes the first value, as soon as there is demand, cancels upstream and finishes.
    @inlinable public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }

    /// Publishes the first value that `predicate` accepts, as soon as there is demand, cancels upstream and
    /// finishes.
    @inlinable public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        Publishers.FirstWhere(upstream: self, predicate: predicate)
    }

    /// Does what ``first(where:)`` does; if `predicate` throws, cancels upstream and fails with its error.
    @inlinable
    public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
        Publishers.TryFirstWhere(upstream: self, predicate: predicate)
    }
}
