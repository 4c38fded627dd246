#if !canImport(Combine)
extension Just {
    /// The value as `transform` makes it, now.
    @inlinable public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

    /// Whether `predicate` accepts the value.
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// Whether `predicate` accepts the value.
    public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// The value in an array.
    public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

    /// One.
    public func count() -> Just<Int> { Just<Int>(1) }

    /// The same: there is no failure to replace.
    public func replaceError(with output: Output) -> Just<Output> { self }

    /// The same: there is a value.
    public func replaceEmpty(with output: Output) -> Just<Output> { self }

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
}

extension Just where Output: Equatable {
    /// Whether the value is `output`.
    public func contains(_ output: Output) -> Just<Bool> { map { $0 == output } }
}
#endif
