extension Publishers {
    /// A publisher of the values at certain positions.
    public struct Output<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The positions, counted from zero.
        public let range: CountableRange<Int>
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, range: CountableRange<Int>) {
            (self.upstream, self.range) = (upstream, range)
        }

        @inlinable func receive(erased downstream: Downstream) {
            guard !range.isEmpty else { return Empty().subscribe(downstream) }
            var position = 0
            stage(for: downstream, as: "Output") { [range] in
                defer { position += 1 }
                if position < range.lowerBound { return .skip }
                return position < range.upperBound - 1 ? .pass($0) : .last($0)
            }
        }
    }

    /// A publisher of the values before the first one that a closure rejects.
    public struct PrefixWhile<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is published and the stream continues.
        public let predicate: (Upstream.Output) -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "PrefixWhile") { [predicate] in predicate($0) ? .pass($0) : .finish }
        }
    }

    /// A publisher of the values before the first one that a throwing closure rejects.
    public struct TryPrefixWhile<Upstream: Publisher>: ValuePassing, Throwing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether a value is published and the stream continues.
        public let predicate: (Upstream.Output) throws -> Bool
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "TryPrefixWhile") { [predicate] in try predicate($0) ? .pass($0) : .finish }
        }
    }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Publishes the value at `index`, counted from zero, cancels upstream and finishes; nothing if there are fewer.
    /// A negative index is a programmer error.
    @inlinable public func output(at index: Int) -> Publishers.Output<Self> { output(in: index...index) }

    /// Publishes the values at the positions in `range`, counted from zero. After the last of them it cancels upstream
    /// and finishes; for an empty range it finishes at once, without upstream. A negative position is a programmer
    /// error.
    @inlinable public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
    }

    /// Publishes the first `maxLength` values, cancels upstream and finishes; at once if that is zero.
    @inlinable public func prefix(_ maxLength: Int) -> Publishers.Output<Self> { output(in: ..<maxLength) }

    /// Publishes values until `predicate` rejects one; then cancels upstream and finishes.
    @inlinable public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
        Publishers.PrefixWhile(upstream: self, predicate: predicate)
    }

    /// Does what ``prefix(while:)`` does; if `predicate` throws, cancels upstream and fails with its error.
    @inlinable
    public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self> {
        Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
    }
}
