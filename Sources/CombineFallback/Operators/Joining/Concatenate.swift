extension Publishers {
    /// A publisher of one publisher's values followed by another's.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: ErasedPublisher
    where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
        /// The values of both.
        public typealias Output = Suffix.Output

        /// The failure of both.
        public typealias Failure = Suffix.Failure

        /// The publisher that comes first.
        public let prefix: Prefix
        /// The publisher that is subscribed to when the first one has finished.
        public let suffix: Suffix
        /// Creates the publisher.
        @inlinable public init(prefix: Prefix, suffix: Suffix) {
            (self.prefix, self.suffix) = (prefix, suffix)
        }

        @inlinable func receive(erased downstream: Downstream) {
            let (outlet, suffix) = (Outlet(downstream, name: "Concatenate"), suffix)
            outlet.forward(prefix, startsDownstream: true) { state, completion in
                guard case .finished = completion else {
                    state.end(completion)
                    return nil
                }
                return { outlet.forward(suffix) }
            }
        }
    }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

extension Publisher {
    /// Publishes `elements` after upstream has finished.
    @inlinable
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(elements)
    }

    /// Publishes the elements of a sequence after upstream has finished.
    @inlinable public func append<S: Swift.Sequence>(
        _ elements: S
    ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
        append(Publishers.Sequence(sequence: elements))
    }

    /// Subscribes to `publisher` after upstream has finished, with the demand that is left.
    @inlinable public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
    where P.Output == Output, P.Failure == Failure {
        .init(prefix: self, suffix: publisher)
    }

    /// Publishes `elements` before upstream is subscribed to.
    @inlinable
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(elements)
    }

    /// Publishes the elements of a sequence before upstream is subscribed to.
    @inlinable public func prepend<S: Swift.Sequence>(
        _ elements: S
    ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
        prepend(Publishers.Sequence(sequence: elements))
    }

    /// Subscribes to upstream after `publisher` has finished, with the demand that is left.
    @inlinable public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
    where P.Output == Output, P.Failure == Failure {
        .init(prefix: publisher, suffix: self)
    }
}
