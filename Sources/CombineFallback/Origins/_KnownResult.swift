/// A publisher of one result, which is known: what is made of it is made now.
///
/// Conform nothing to it: it is public only because its members could not be otherwise.
public protocol _KnownResult: _SingleValue {
    /// The result.
    var _result: Result<Output, Failure> { get }
}

#if !canImport(Combine)
extension _KnownResult {
    /// The value as `transform` makes it, now, or the error it throws.
    @inlinable public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
        .init(Result<T, any Error> { try transform(_result.get()) })
    }

    /// The failure, if it is one, as `transform` makes it, now.
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

    /// `first` combined with the value, now.
    public func reduce<T>(_ first: T, _ next: (T, Output) -> T) -> Result<T, Failure>.Publisher {
        .init(_result.map { next(first, $0) })
    }

    /// `first` combined with the value, now, or the error the closure throws.
    public func tryReduce<T>(_ first: T, _ next: (T, Output) throws -> T) -> Result<T, any Error>.Publisher {
        tryMap { try next(first, $0) }
    }

    /// `first` combined with the value, now.
    public func scan<T>(_ first: T, _ next: (T, Output) -> T) -> Result<T, Failure>.Publisher { reduce(first, next) }

    /// `first` combined with the value, now, or the error the closure throws.
    public func tryScan<T>(_ first: T, _ next: (T, Output) throws -> T) -> Result<T, any Error>.Publisher {
        tryReduce(first, next)
    }
}

extension _KnownResult where Failure == Never {
    /// The value, under a type that says it could fail.
    @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        .init(_result.get())
    }
}
#endif
