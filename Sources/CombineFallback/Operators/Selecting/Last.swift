extension Publishers {
    /// A publisher of the last value only.
    public struct Last<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable func receive(erased downstream: Downstream) {
            var last: Upstream.Output?
            stage(for: downstream, as: "Last", pulling: .everything, atEnd: { last }) {
                last = $0
                return .skip
            }
        }
    }

    /// A publisher of the last value that a closure accepts.
    public struct LastWhere<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value counts.
        public let predicate: (Upstream.Output) -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var last: Upstream.Output?
            stage(for: downstream, as: "LastWhere", pulling: .everything, atEnd: { last }) { [predicate] in
                if predicate($0) { last = $0 }
                return .skip
            }
        }
    }

    /// A publisher of the last value that a throwing closure accepts.
    public struct TryLastWhere<Upstream: Publisher>: ValuePassing, Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value counts.
        public let predicate: (Upstream.Output) throws -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var last: Upstream.Output?
            stage(for: downstream, as: "TryLastWhere", pulling: .everything, atEnd: { last }) { [predicate] in
                if try predicate($0) { last = $0 }
                return .skip
            }
        }
    }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Publishes the last value when upstream finishes, as soon as there is demand.
    @inlinable public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }

    /// Publishes the last value that `predicate` accepts when upstream finishes, as soon as there is demand.
    @inlinable public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
        Publishers.LastWhere(upstream: self, predicate: predicate)
    }

    /// Does what ``last(where:)`` does; if `predicate` throws, cancels upstream and fails with its error.
    @inlinable
    public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
        Publishers.TryLastWhere(upstream: self, predicate: predicate)
    }
}
