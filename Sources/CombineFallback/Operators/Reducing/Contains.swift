extension Publishers {
    /// A publisher of whether there is a certain value.
    public struct Contains<Upstream: Publisher>: FailurePassing where Upstream.Output: Equatable {
        /// The result.
        public typealias Output = Bool

        /// The upstream publisher.
        public let upstream: Upstream
        /// The value to find.
        public let output: Upstream.Output
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, output: Upstream.Output) {
            (self.upstream, self.output) = (upstream, output)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "Contains", pulling: .everything, atEnd: { false }) { [output] in
                $0 == output ? .last(true) : .skip
            }
        }
    }

    /// A publisher of whether there is a value that a closure accepts.
    public struct ContainsWhere<Upstream: Publisher>: FailurePassing {
        /// The result.
        public typealias Output = Bool

        /// The upstream publisher.
        public let upstream: Upstream
        /// The condition for a value.
        public let predicate: (Upstream.Output) -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "ContainsWhere", pulling: .everything, atEnd: { false }) { [predicate] in
                predicate($0) ? .last(true) : .skip
            }
        }
    }

    /// A publisher of whether there is a value that a throwing closure accepts.
    public struct TryContainsWhere<Upstream: Publisher>: Throwing {
        /// The result.
        public typealias Output = Bool

        /// The upstream publisher.
        public let upstream: Upstream
        /// The condition for a value.
        public let predicate: (Upstream.Output) throws -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "TryContainsWhere", pulling: .everything, atEnd: { false }) { [predicate] in
                try predicate($0) ? .last(true) : .skip
            }
        }
    }

    /// A publisher of whether a closure accepts all values.
    public struct AllSatisfy<Upstream: Publisher>: FailurePassing {
        /// The result.
        public typealias Output = Bool

        /// The upstream publisher.
        public let upstream: Upstream
        /// The condition for a value.
        public let predicate: (Upstream.Output) -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "AllSatisfy", pulling: .everything, atEnd: { true }) { [predicate] in
                predicate($0) ? .skip : .last(false)
            }
        }
    }

    /// A publisher of whether a throwing closure accepts all values.
    public struct TryAllSatisfy<Upstream: Publisher>: Throwing {
        /// The result.
        public typealias Output = Bool

        /// The upstream publisher.
        public let upstream: Upstream
        /// The condition for a value.
        public let predicate: (Upstream.Output) throws -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "TryAllSatisfy", pulling: .everything, atEnd: { true }) { [predicate] in
                try predicate($0) ? .skip : .last(false)
            }
        }
    }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publisher where Output: Equatable {
    /// Publishes `true`, cancels upstream and finishes when `output` comes; publishes `false` when upstream finishes
    /// without it. The result waits for demand.
    @inlinable public func contains(_ output: Output) -> Publishers.Contains<Self> {
        Publishers.Contains(upstream: self, output: output)
    }
}

extension Publisher {
    /// Publishes `true`, cancels upstream and finishes when a value comes that `predicate` accepts; publishes `false`
    /// when upstream finishes without one. The result waits for demand.
    @inlinable public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
        Publishers.ContainsWhere(upstream: self, predicate: predicate)
    }

    /// Does what ``contains(where:)`` does; if `predicate` throws, cancels upstream and fails with its error.
    @inlinable
    public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
        Publishers.TryContainsWhere(upstream: self, predicate: predicate)
    }

    /// Publishes `false`, cancels upstream and finishes when a value comes that `predicate` rejects; publishes `true`
    /// when upstream finishes without one. The result waits for demand.
    @inlinable public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
        Publishers.AllSatisfy(upstream: self, predicate: predicate)
    }

    /// Does what ``allSatisfy(_:)`` does; if `predicate` throws, cancels upstream and fails with its error.
    @inlinable
    public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self> {
        Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
    }
}
