#if !canImport(Combine)
extension Result.Publisher: _KnownResult {
    /// The result.
    @inlinable public var _result: Result<Success, Failure> { result }

    /// The value as `transform` makes it, now.
    @inlinable public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher {
        .init(result.map(transform))
    }

    /// Whether `predicate` accepts the value.
    public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// Whether `predicate` accepts the value.
    public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// The value in an array.
    public func collect() -> Result<[Success], Failure>.Publisher { map { [$0] } }

    /// One.
    public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

    /// The value, or the error the closure throws when it compares it with itself.
    public func tryMin(by precedes: (Success, Success) throws -> Bool) -> Result<Success, any Error>.Publisher {
        tryRemoveDuplicates(by: precedes)
    }

    /// The value, or the error the closure throws when it compares it with itself.
    public func tryMax(by precedes: (Success, Success) throws -> Bool) -> Result<Success, any Error>.Publisher {
        tryRemoveDuplicates(by: precedes)
    }

    /// The value, or `output` in place of the failure.
    public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
        .init((try? result.get()) ?? output)
    }

    /// The same: there is a value, or a failure.
    public func replaceEmpty(with output: Success) -> Self { self }
}

extension Result.Publisher where Success: Equatable {
    /// Whether the value is `output`.
    public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher { map { $0 == output } }
}
#endif
