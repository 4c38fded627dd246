extension Publishers {
    /// A publisher of upstream's completion only.
    public struct IgnoreOutput<Upstream: Publisher>: FailurePassing {
        /// There are no values.
        public typealias Output = Never

        /// The upstream publisher.
        public let upstream: Upstream
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable func receive(erased downstream: Downstream) {
            stage(for: downstream, as: "IgnoreOutput", pulling: .everything) { _ in .skip }
        }
    }

    /// A publisher that publishes a value if upstream finishes without any.
    public struct ReplaceEmpty<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The value that is published if there is no other.
        public let output: Upstream.Output
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, output: Upstream.Output) {
            (self.upstream, self.output) = (upstream, output)
        }

        @inlinable func receive(erased downstream: Downstream) {
            var replacement: Upstream.Output? = output
            stage(for: downstream, as: "ReplaceEmpty", pulling: .counted, atEnd: { replacement }) {
                replacement = nil
                return .pass($0)
            }
        }
    }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}
extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publisher {
    /// Drops all values and publishes only the completion.
    @inlinable public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { Publishers.IgnoreOutput(upstream: self) }

    /// If upstream finishes without a value, publishes `output` as soon as there is demand, and finishes.
    @inlinable public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
        Publishers.ReplaceEmpty(upstream: self, output: output)
    }
}
