#if !canImport(Combine)
extension Just {
    /// The value as `transform` makes it, now.
    @inlinable public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

    /// The value as `transform` makes it, now, or the error it throws.
    @inlinable public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
        Result.Publisher(Result { try transform(output) })
    }

    /// The value as `transform` makes it, now; nothing if that is nil.
    public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher { .init(transform(output)) }

    /// The value if `isIncluded` accepts it, which is asked now.
    public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher { only(if: isIncluded(output)) }

    /// The value if `predicate` accepts it.
    public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

    /// The value if `predicate` accepts it.
    public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

    /// The value if `predicate` accepts it.
    public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

    /// The value if `predicate` rejects it.
    public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter { !predicate($0) } }

    /// The value if `count` is zero. A negative count is a programmer error.
    public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher { output(in: count...) }

    /// The value unless `maxLength` is zero. A negative length is a programmer error.
    public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher { output(in: ..<maxLength) }

    /// The value if `index` is zero. A negative index is a programmer error.
    public func output(at index: Int) -> Optional<Output>.Publisher { output(in: index...index) }

    /// The value if zero is in `range`. A negative bound is a programmer error.
    public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
        only(if: range.relative(to: 0..<Int.max).contains(0))
    }

    /// Whether `predicate` accepts the value.
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// Whether `predicate` accepts the value, or the error it throws.
    public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Whether `predicate` accepts the value.
    public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// Whether `predicate` accepts the value, or the error it throws.
    public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// The value in an array.
    public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

    /// One.
    public func count() -> Just<Int> { Just<Int>(1) }

    /// `first` combined with the value, now.
    public func reduce<T>(_ first: T, _ next: (T, Output) -> T) -> Result<T, Never>.Publisher {
        .init(next(first, output))
    }

    /// `first` combined with the value, now, or the error the closure throws.
    public func tryReduce<T>(_ first: T, _ next: (T, Output) throws -> T) -> Result<T, any Error>.Publisher {
        tryMap { try next(first, $0) }
    }

    /// `first` combined with the value, now.
    public func scan<T>(_ first: T, _ next: (T, Output) -> T) -> Result<T, Never>.Publisher { reduce(first, next) }

    /// `first` combined with the value, now, or the error the closure throws.
    public func tryScan<T>(_ first: T, _ next: (T, Output) throws -> T) -> Result<T, any Error>.Publisher {
        tryReduce(first, next)
    }

    /// The value, or the error `predicate` throws when it compares it with itself.
    public func tryRemoveDuplicates(
        by predicate: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher {
        tryMap { value in
            _ = try predicate(value, value)
            return value
        }
    }

    /// The same: there is no failure to replace.
    public func replaceError(with output: Output) -> Just<Output> { self }

    /// The same: there is a value.
    public func replaceEmpty(with output: Output) -> Just<Output> { self }

    /// The value, under a type that says it could fail.
    @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        Result.Publisher(output)
    }

    /// The value, under a type that says it could fail; `transform` is never called.
    public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher { .init(output) }

    /// The elements, and then the value.
    public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

    /// The elements, and then the value.
    public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
        .init(sequence: elements + [output])
    }

    /// The value, and then the elements.
    public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

    /// The value, and then the elements.
    public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
        .init(sequence: [output] + elements)
    }

    private func only(if isIncluded: Bool) -> Optional<Output>.Publisher { .init(isIncluded ? output : nil) }
}

extension Just where Output: Equatable {
    /// Whether the value is `output`.
    public func contains(_ output: Output) -> Just<Bool> { map { $0 == output } }
}
#endif
