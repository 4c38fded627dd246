extension Publishers {
    /// A publisher of all values in one array.
    public struct Collect<Upstream: Publisher>: FailurePassing {
        /// All values.
        public typealias Output = [Upstream.Output]

        /// The upstream publisher.
        public let upstream: Upstream
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable func receive(erased downstream: Downstream) {
            var values: Output = []
            stage(for: downstream, as: "Collect", pulling: .everything, atEnd: { values }) {
                values.append($0)
                return .skip
            }
        }
    }

    /// A publisher of arrays of a number of values.
    public struct CollectByCount<Upstream: Publisher>: FailurePassing {
        /// `count` values, or fewer at the end.
        public typealias Output = [Upstream.Output]

        /// The upstream publisher.
        public let upstream: Upstream
        /// The number of values in an array; the last one may have fewer.
        public let count: Int
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, count: Int) { (self.upstream, self.count) = (upstream, count) }

        @inlinable func receive(erased downstream: Downstream) {
            var values: Output = []
            let rest = { values.isEmpty ? nil : values }
            stage(for: downstream, as: "CollectByCount", pulling: .batches(of: count), atEnd: rest) { [count] in
                values.append($0)
                guard values.count >= count else { return .skip }
                defer { values = [] }
                return .pass(values)
            }
        }
    }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}
extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Publishes all values in one array when upstream finishes, as soon as there is demand.
    @inlinable public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }

    /// Publishes arrays of `count` values, and the rest when upstream finishes. Upstream is asked for `count` values
    /// for each array. A `count` below one is a programmer error.
    @inlinable public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
        Publishers.CollectByCount(upstream: self, count: count)
    }
}
