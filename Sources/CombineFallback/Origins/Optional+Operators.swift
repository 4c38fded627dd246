#if !canImport(Combine)
extension Optional.Publisher: _KnownValue {
    /// The value, if there is one.
    public var _value: Wrapped? { output }

    /// The value, if there is one, as `transform` makes it, now.
    public func map<T>(_ transform: (Wrapped) -> T) -> Optional<T>.Publisher { .init(output.map(transform)) }

    /// Whether `predicate` accepts the value; nothing without a value.
    public func allSatisfy(_ predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

    /// Whether `predicate` accepts the value; nothing without a value.
    public func contains(where predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

    /// The value in an array, which is empty without a value.
    public func collect() -> Optional<[Wrapped]>.Publisher { .init(output.map { [$0] } ?? []) }

    /// One; nothing without a value.
    public func count() -> Optional<Int>.Publisher { map { _ in 1 } }

    /// `first` combined with the value, now; nothing without a value.
    public func reduce<T>(_ first: T, _ next: (T, Wrapped) -> T) -> Optional<T>.Publisher { map { next(first, $0) } }

    /// `first` combined with the value, now; nothing without a value.
    public func scan<T>(_ first: T, _ next: (T, Wrapped) -> T) -> Optional<T>.Publisher { map { next(first, $0) } }

    /// The same: there is no failure to replace.
    public func replaceError(with output: Wrapped) -> Self { self }

    /// The value, or `output` if there is none.
    public func replaceEmpty(with output: Wrapped) -> Just<Wrapped> { Just(self.output ?? output) }
}

extension Optional.Publisher where Wrapped: Equatable {
    /// Whether the value is `output`; nothing without a value.
    public func contains(_ output: Wrapped) -> Optional<Bool>.Publisher { map { $0 == output } }
}
#endif
