#if !canImport(Combine)
extension Result.Publisher: _SingleValue {
    /// The value as `transform` makes it, now.
    @inlinable public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher {
        .init(result.map(transform))
    }

    /// The value as `transform` makes it, now, or the error it throws.
    @inlinable public func tryMap<T>(_ transform: (Success) throws -> T) -> Result<T, any Error>.Publisher {
        .init(Result<T, any Error> { try transform(result.get()) })
    }

    /// The failure as `transform` makes it, now.
    @inlinable public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Success, E>.Publisher {
        .init(result.mapError(transform))
    }

    /// Whether `predicate` accepts the value.
    public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// Whether `predicate` accepts the value, or the error it throws.
    public func tryAllSatisfy(_ predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Whether `predicate` accepts the value.
    public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// Whether `predicate` accepts the value, or the error it throws.
    public func tryContains(where predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// The value in an array.
    public func collect() -> Result<[Success], Failure>.Publisher { map { [$0] } }

    /// One.
    public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

    /// The value, or the error the closure throws when it compares it with itself.
    public func tryMin(by precedes: (Success, Success) throws -> Bool)
        -> Result<Success, any Error>.Publisher
    {
        tryMap { value in
            _ = try precedes(value, value)
            return value
        }
    }

    /// The value, or the error the closure throws when it compares it with itself.
    public func tryMax(by precedes: (Success, Success) throws -> Bool)
        -> Result<Success, any Error>.Publisher
    {
        tryMin(by: precedes)
    }

    /// The value, or the error `predicate` throws when it compares it with itself.
    public func tryRemoveDuplicates(
        by predicate: (Success, Success) throws -> Bool
    ) -> Result<Success, any Error>.Publisher {
        tryMin(by: predicate)
    }

    /// `first` combined with the value, now.
    public func reduce<T>(_ first: T, _ next: (T, Success) -> T) -> Result<T, Failure>.Publisher {
        map { next(first, $0) }
    }

    /// `first` combined with the value, now, or the error the closure throws.
    public func tryReduce<T>(_ first: T, _ next: (T, Success) throws -> T) -> Result<T, any Error>.Publisher {
        tryMap { try next(first, $0) }
    }

    /// `first` combined with the value, now.
    public func scan<T>(_ first: T, _ next: (T, Success) -> T) -> Result<T, Failure>.Publisher { reduce(first, next) }

    /// `first` combined with the value, now, or the error the closure throws.
    public func tryScan<T>(_ first: T, _ next: (T, Success) throws -> T) -> Result<T, any Error>.Publisher {
        tryReduce(first, next)
    }

    /// The value, or `output` in place of the failure.
    public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
        .init((try? result.get()) ?? output)
    }

    /// The same: there is a value, or a failure.
    public func replaceEmpty(with output: Success) -> Self { self }
}

extension Result.Publisher where Failure == Never {
    /// The value, under a type that says it could fail.
    @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Success, E>.Publisher {
        .init(result.get())
    }
}

extension Result.Publisher where Success: Equatable {
    /// Whether the value is `output`.
    public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher { map { $0 == output } }
}
#endif
