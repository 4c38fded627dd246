/// A publisher of at most one known value. Operators that select one of several values return it unchanged.
///
/// Do not conform to it. It is public so that its members can be.
public protocol _SingleValue: Publisher {}

extension _SingleValue {
    /// Returns this publisher.
    public func first() -> Self { self }

    /// Returns this publisher.
    public func last() -> Self { self }

    /// Returns this publisher.
    public func min(by precedes: (Output, Output) -> Bool) -> Self { self }

    /// Returns this publisher.
    public func max(by precedes: (Output, Output) -> Bool) -> Self { self }

    /// Returns this publisher.
    public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Self { self }

    /// Returns this publisher, which would end in the same way each time.
    public func retry(_ times: Int) -> Self { self }

    /// A publisher of the completion only.
    public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

    /// Returns this publisher.
    public func min() -> Self where Output: Comparable { self }

    /// Returns this publisher.
    public func max() -> Self where Output: Comparable { self }

    /// Returns this publisher.
    public func removeDuplicates() -> Self where Output: Equatable { self }
}

/// A publisher of at most one known value that cannot fail. Operators that filter it run their closures when they are
/// called.
///
/// Do not conform to it. It is public so that its members can be.
public protocol _KnownValue: _SingleValue where Failure == Never {
    /// The value, if there is one.
    var _value: Output? { get }
}

#if !canImport(Combine)
extension _KnownValue {
    /// The value, if there is one, transformed; no value if that is nil.
    public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher { .init(_value.flatMap(transform)) }

    /// The value if there is one and `isIncluded` accepts it.
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

/// A publisher of one known result. Operators that transform it run their closures when they are called.
///
/// Do not conform to it. It is public so that its members can be.
public protocol _KnownResult: _SingleValue {
    /// The result.
    var _result: Result<Output, Failure> { get }
}

#if !canImport(Combine)
extension _KnownResult {
    /// The value, transformed, or the error it throws.
    @inlinable public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
        .init(Result<T, any Error> { try transform(_result.get()) })
    }

    /// The failure, if it is one,, transformed.
    @inlinable public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Output, E>.Publisher {
        .init(_result.mapError(transform))
    }

    /// Whether `predicate` accepts the value, or the error it throws.
    public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Whether `predicate` accepts the value, or the error it throws.
    public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
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

    /// `first` combined with the value.
    public func reduce<T>(_ first: T, _ next: (T, Output) -> T) -> Result<T, Failure>.Publisher {
        .init(_result.map { next(first, $0) })
    }

    /// `first` combined with the value, or the error the closure throws.
    public func tryReduce<T>(_ first: T, _ next: (T, Output) throws -> T) -> Result<T, any Error>.Publisher {
        tryMap { try next(first, $0) }
    }

    /// `first` combined with the value.
    public func scan<T>(_ first: T, _ next: (T, Output) -> T) -> Result<T, Failure>.Publisher { reduce(first, next) }

    /// `first` combined with the value, or the error the closure throws.
    public func tryScan<T>(_ first: T, _ next: (T, Output) throws -> T) -> Result<T, any Error>.Publisher {
        tryReduce(first, next)
    }
}

extension _KnownResult where Failure == Never {
    /// The value with another failure type.
    @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        .init(_result.get())
    }
}
#endif
