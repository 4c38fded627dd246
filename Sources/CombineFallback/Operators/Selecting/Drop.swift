extension Publishers {
    /// A publisher of the values after the first few.
    public struct Drop<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The number of values to drop.
        public let count: Int
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, count: Int) { (self.upstream, self.count) = (upstream, count) }

        @inlinable func receive(erased downstream: Downstream) {
            var left = count
            stage(for: downstream, as: "Drop", pulling: .afterFirst(count)) {
                guard left > 0 else { return .pass($0) }
                left -= 1
                return .skip
            }
        }
    }

    /// A publisher of the values from the first that a closure rejects.
    public struct DropWhile<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is dropped, if all before it were.
        public let predicate: (Upstream.Output) -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var isDropping = true
            relay(to: downstream) { [predicate] in
                if isDropping { isDropping = predicate($0) }
                return isDropping ? nil : $0
            }
        }
    }

    /// A publisher of the values from the first that a throwing closure rejects.
    public struct TryDropWhile<Upstream: Publisher>: ValuePassing, Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is dropped, if all before it were.
        public let predicate: (Upstream.Output) throws -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var isDropping = true
            stage(for: downstream, as: "TryDropWhile") { [predicate] in
                if isDropping { isDropping = try predicate($0) }
                return isDropping ? .skip : .pass($0)
            }
        }
    }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Drops the first `count` values. A negative count is a programmer error.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> { Publishers.Drop(upstream: self, count: count) }

    /// Drops values until `predicate` rejects one. Publishes that one and all that follow.
    @inlinable public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
        Publishers.DropWhile(upstream: self, predicate: predicate)
    }

    /// Does what ``drop(while:)`` does; if `predicate` throws, cancels upstream and fails with its error.
    @inlinable
    public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
        Publishers.TryDropWhile(upstream: self, predicate: predicate)
    }
}
