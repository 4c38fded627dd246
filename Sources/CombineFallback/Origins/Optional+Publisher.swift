#if !canImport(Combine)
extension Optional {
    /// A publisher of the value, or of nothing.
    @inlinable public var publisher: Publisher { Publisher(self) }

    /// A publisher that delivers an optional's value on the first demand and finishes; without a value it finishes at
    /// once.
    public struct Publisher: CombineFallback.Publisher {
        /// The value.
        public typealias Output = Wrapped

        /// It cannot fail.
        public typealias Failure = Never

        /// The value, if there is one.
        public let output: Wrapped?

        /// Creates a publisher of `output`.
        @inlinable public init(_ output: Wrapped?) { self.output = output }

        /// Attaches `subscriber`.
        @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
            guard let output else { return Empty().receive(subscriber: subscriber) }
            subscriber.receive(only: output, of: "Optional")
        }
    }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
#endif
