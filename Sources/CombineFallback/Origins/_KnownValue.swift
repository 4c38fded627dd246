/// A publisher of one value, or of none, which is known: whether it is published is decided now.
///
/// Conform nothing to it: it is public only because its members could not be otherwise.
public protocol _KnownValue: _SingleValue where Failure == Never {
    /// The value, if there is one.
    var _value: Output? { get }
}

#if !canImport(Combine)
extension _KnownValue {
    /// The value, if there is one, as `transform` makes it, now; nothing if that is nil.
    public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher { .init(_value.flatMap(transform)) }

    /// The value if there is one and `isIncluded` accepts it, which is asked now.
    public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// The value if there is one and `predicate` accepts it.
    public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

    /// The value if there is one and `predicate` accepts it.
    public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

    /// The value if there is one and `predicate` accepts it.
    public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

    /// The value if there is one and `predicate` rejects it.
    public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter { !predicate($0) } }

    /// The value, if there is one, if `count` is zero. A negative count is a programmer error.
    public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher { output(in: count...) }

    /// The value, if there is one, unless `maxLength` is zero. A negative length is a programmer error.
    public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher { output(in: ..<maxLength) }

    /// The value, if there is one, if `index` is zero. A negative index is a programmer error.
    public func output(at index: Int) -> Optional<Output>.Publisher { output(in: index...index) }

    /// The value, if there is one, if zero is in `range`. A negative bound is a programmer error.
    public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
        let isIncluded = range.relative(to: 0..<Int.max).contains(0)
        return filter { _ in isIncluded }
    }
}
#endif
