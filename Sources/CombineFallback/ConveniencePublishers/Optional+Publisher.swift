#if !canImport(Combine)
extension Optional {
    /// A publisher of the value, if there is one.
    @inlinable public var publisher: Publisher { Publisher(self) }

    /// A publisher that delivers an optional's value on demand and finishes. Without a value it finishes at once.
    public struct Publisher: CombineFallback.Publisher {
        /// The value.
        public typealias Output = Wrapped

        /// The publisher never fails.
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

extension Optional.Publisher: _KnownValue {
    /// The value, if there is one.
    public var _value: Wrapped? { output }

    /// The value, if there is one,, transformed.
    public func map<T>(_ transform: (Wrapped) -> T) -> Optional<T>.Publisher { .init(output.map(transform)) }

    /// Whether `predicate` accepts the value; no value without one.
    public func allSatisfy(_ predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

    /// Whether `predicate` accepts the value; no value without one.
    public func contains(where predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

    /// The value in an array, which is empty without a value.
    public func collect() -> Optional<[Wrapped]>.Publisher { .init(output.map { [$0] } ?? []) }

    /// One; no value without one.
    public func count() -> Optional<Int>.Publisher { map { _ in 1 } }

    /// `first` combined with the value; no value without one.
    public func reduce<T>(_ first: T, _ next: (T, Wrapped) -> T) -> Optional<T>.Publisher { map { next(first, $0) } }

    /// `first` combined with the value; no value without one.
    public func scan<T>(_ first: T, _ next: (T, Wrapped) -> T) -> Optional<T>.Publisher { map { next(first, $0) } }

    /// Returns this publisher, which cannot fail.
    public func replaceError(with output: Wrapped) -> Self { self }

    /// The value, or `output` without a value.
    public func replaceEmpty(with output: Wrapped) -> Just<Wrapped> { Just(self.output ?? output) }
}

extension Optional.Publisher where Wrapped: Equatable {
    /// Whether the value is `output`; no value without one.
    public func contains(_ output: Wrapped) -> Optional<Bool>.Publisher { map { $0 == output } }
}
#endif
