extension Publishers {
    /// A publisher of the values that differ from the one before.
    public struct RemoveDuplicates<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is a duplicate of the one before it.
        public let predicate: (Upstream.Output, Upstream.Output) -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var last: Upstream.Output?
            relay(to: downstream) { [predicate] next in
                defer { last = next }
                return last.map { predicate($0, next) } == true ? nil : next
            }
        }
    }

    /// A publisher of the values that differ, by a throwing closure, from the one before.
    public struct TryRemoveDuplicates<Upstream: Publisher>: ValuePassing, Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is a duplicate of the one before it.
        public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool
        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var last: Upstream.Output?
            stage(for: downstream, as: "TryRemoveDuplicates") { [predicate] next in
                defer { last = next }
                return try last.map { try predicate($0, next) } == true ? .skip : .pass(next)
            }
        }
    }
}

extension Publisher where Output: Equatable {
    /// Drops each value that equals the one before it.
    @inlinable public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}

extension Publisher {
    /// Drops each value for which `predicate` returns true with the one before it.
    @inlinable public func removeDuplicates(
        by predicate: @escaping (Output, Output) -> Bool
    ) -> Publishers.RemoveDuplicates<Self> {
        Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
    }

    /// Does what ``removeDuplicates(by:)`` does; if `predicate` throws, cancels upstream and fails with its error.
    @inlinable public func tryRemoveDuplicates(
        by predicate: @escaping (Output, Output) throws -> Bool
    ) -> Publishers.TryRemoveDuplicates<Self> {
        Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
    }
}
