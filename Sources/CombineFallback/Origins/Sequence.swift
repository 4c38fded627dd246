extension Publishers {
    /// A publisher of the elements of a sequence.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        /// The elements.
        public typealias Output = Elements.Element

        /// The sequence. It is iterated anew for each subscriber.
        public let sequence: Elements

        /// Creates a publisher of the elements of `sequence`.
        @inlinable public init(sequence: Elements) { self.sequence = sequence }

        /// Attaches `subscriber`: it gets as many elements as it asks for, and the end right after the last one.
        @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let source = SequenceSubscription<Elements, AnySubscriber<Output, Failure>>.Source(sequence)
            guard source.next != nil else { return Empty().receive(subscriber: subscriber) }
            subscriber.receive(
                subscription: ErasedSubscription(SequenceSubscription(sequence, source, for: AnySubscriber(subscriber)))
            )
        }
    }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Sequence {
    /// A publisher of the elements.
    @inlinable public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}
