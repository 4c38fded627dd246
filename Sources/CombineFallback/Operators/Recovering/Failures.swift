extension Publishers {
    /// A publisher that transforms upstream's failure.
    public struct MapError<Upstream: Publisher, Failure: Error>: ValuePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that makes the new failure.
        public let transform: (Upstream.Failure) -> Failure
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            transform = map
        }

        @inlinable func receive(erased downstream: Downstream) {
            upstream.attach(Relay(to: downstream, output: { $0 }) { [transform] in $0.mapError(transform) })
        }
    }

    /// A publisher that cannot fail, with another failure type.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: ValuePassing where Upstream.Failure == Never {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable func receive(erased downstream: Downstream) {
            upstream.attach(
                Relay<_, Never, _>(to: downstream, output: { $0 }) { $0.mapError { (_: Never) -> Failure in } }
            )
        }

        /// The same publisher with another failure type.
        @inlinable public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
            Publishers.SetFailureType<Upstream, E>(upstream: upstream)
        }
    }

    /// A publisher that stops the process if upstream fails.
    public struct AssertNoFailure<Upstream: Publisher>: ValuePassing {
        /// The publisher never fails.
        public typealias Failure = Never

        /// The upstream publisher.
        public let upstream: Upstream
        /// The beginning of the message.
        public let prefix: String
        /// The file the message names.
        public let file: StaticString
        /// The line the message names.
        public let line: UInt
        /// Creates the publisher.
        public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
            (self.upstream, self.prefix, self.file, self.line) = (upstream, prefix, file, line)
        }

        @usableFromInline func receive(erased downstream: Downstream) {
            upstream.mapError { [prefix, file, line] error -> Never in
                preconditionFailure("\(prefix.isEmpty ? "" : prefix + ": ")\(error)", file: file, line: line)
            }
            .receive(erased: downstream)
        }
    }

    /// A publisher that publishes a value in place of a failure.
    public struct ReplaceError<Upstream: Publisher>: ValuePassing {
        /// The publisher never fails.
        public typealias Failure = Never

        /// The upstream publisher.
        public let upstream: Upstream
        /// The value that is published in place of a failure.
        public let output: Upstream.Output
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, output: Upstream.Output) {
            (self.upstream, self.output) = (upstream, output)
        }

        @inlinable func receive(erased downstream: Downstream) {
            let stage = Stage<_, Upstream.Failure, _, Never>(.counted, step: { .pass($0) }) { [output] completion in
                if case .failure = completion { output } else { nil }
            }
            upstream.attach(StageSubscriber(stage, downstream, name: "ReplaceError"))
        }
    }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}
extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publisher {
    /// Transforms the failure, if there is one.
    @inlinable public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
        Publishers.MapError(upstream: self, transform)
    }

    /// Stops the process if upstream fails, with a message that begins with `prefix`: a failure is a programmer error.
    public func assertNoFailure(
        _ prefix: String = "",
        file: StaticString = #file,
        line: UInt = #line
    ) -> Publishers.AssertNoFailure<Self> {
        Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
    }

    /// Publishes `output` in place of a failure, as soon as there is demand, and finishes.
    @inlinable public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        Publishers.ReplaceError(upstream: self, output: output)
    }
}

extension Publisher where Failure == Never {
    /// Gives a publisher that cannot fail another failure type.
    @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        Publishers.SetFailureType(upstream: self)
    }
}
