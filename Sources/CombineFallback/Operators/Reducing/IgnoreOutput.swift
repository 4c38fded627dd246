extension Publishers {
    /// A publisher of upstream's end only.
    public struct IgnoreOutput<Upstream: Publisher>: FailurePassing {
        /// There are no values.
        public typealias Output = Never

        /// The publisher this one is made from.
        public let upstream: Upstream
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable func serve(_ downstream: Downstream) {
            stage(for: downstream, as: "IgnoreOutput", pulling: .everything) { _ in .skip }
        }
    }

    /// A publisher that publishes a value if upstream finishes without any.
    public struct ReplaceEmpty<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The value that is published if there is no other.
        public let output: Upstream.Output
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, output: Upstream.Output) {
            (self.upstream, self.output) = (upstream, output)
        }

        @inlinable func serve(_ downstream: Downstream) {
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
    /// Lets all values come and go, and publishes just the end.
    @inlinable public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { Publishers.IgnoreOutput(upstream: self) }

    /// If upstream finishes without a value, publishes `output` as soon as there is demand for it, and finishes.
    @inlinable public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
        Publishers.ReplaceEmpty(upstream: self, output: output)
    }
}
