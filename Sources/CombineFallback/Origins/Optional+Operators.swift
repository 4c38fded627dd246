#if !canImport(Combine)
extension Optional.Publisher: _SingleValue {
    /// The value, if there is one, as `transform` makes it, now.
    public func map<T>(_ transform: (Wrapped) -> T) -> Optional<T>.Publisher { .init(output.map(transform)) }

    /// The value, if there is one, as `transform` makes it, now; nothing if that is nil.
    public func compactMap<T>(_ transform: (Wrapped) -> T?) -> Optional<T>.Publisher {
        .init(output.flatMap(transform))
    }

    /// The value if there is one and `isIncluded` accepts it, which is asked now.
    public func filter(_ isIncluded: (Wrapped) -> Bool) -> Self { compactMap { isIncluded($0) ? $0 : nil } }

    /// The value if there is one and `predicate` accepts it.
    public func first(where predicate: (Wrapped) -> Bool) -> Self { filter(predicate) }

    /// The value if there is one and `predicate` accepts it.
    public func last(where predicate: (Wrapped) -> Bool) -> Self { filter(predicate) }

    /// The value if there is one and `predicate` accepts it.
    public func prefix(while predicate: (Wrapped) -> Bool) -> Self { filter(predicate) }

    /// The value if there is one and `predicate` rejects it.
    public func drop(while predicate: (Wrapped) -> Bool) -> Self { filter { !predicate($0) } }

    /// The value, if there is one, if `count` is zero. A negative count is a programmer error.
    public func dropFirst(_ count: Int = 1) -> Self { output(in: count...) }

    /// The value, if there is one, unless `maxLength` is zero. A negative length is a programmer error.
    public func prefix(_ maxLength: Int) -> Self { output(in: ..<maxLength) }

    /// The value, if there is one, if `index` is zero. A negative index is a programmer error.
    public func output(at index: Int) -> Self { output(in: index...index) }

    /// The value, if there is one, if zero is in `range`. A negative bound is a programmer error.
    public func output<R: RangeExpression>(in range: R) -> Self where R.Bound == Int {
        let isIncluded = range.relative(to: 0..<Int.max).contains(0)
        return filter { _ in isIncluded }
    }

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
