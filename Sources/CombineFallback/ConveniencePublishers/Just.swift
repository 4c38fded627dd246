/// A publisher that delivers one value to each subscriber on demand and finishes.
public struct Just<Output>: Publisher {
    /// The publisher never fails.
    public typealias Failure = Never

    /// The value published.
    public let output: Output

    /// Creates a publisher of `output`.
    @inlinable public init(_ output: Output) { self.output = output }

    /// Attaches `subscriber`.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        subscriber.receive(only: output, of: "Just")
    }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}

extension Just: _KnownValue, _KnownResult {
    /// The value.
    public var _value: Output? { output }

    /// The value.
    @inlinable public var _result: Result<Output, Never> { .success(output) }
}

#if !canImport(Combine)
extension Just {
    /// The value, transformed.
    @inlinable public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

    /// Whether `predicate` accepts the value.
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// Whether `predicate` accepts the value.
    public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// The value in an array.
    public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

    /// One.
    public func count() -> Just<Int> { Just<Int>(1) }

    /// Returns this publisher, which cannot fail.
    public func replaceError(with output: Output) -> Just<Output> { self }

    /// Returns this publisher, which has a value.
    public func replaceEmpty(with output: Output) -> Just<Output> { self }

    /// The elements followed by the value.
    public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

    /// The elements followed by the value.
    public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
        .init(sequence: elements + [output])
    }

    /// The value followed by the elements.
    public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

    /// The value followed by the elements.
    public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
        .init(sequence: [output] + elements)
    }
}

extension Just where Output: Equatable {
    /// Whether the value is `output`.
    public func contains(_ output: Output) -> Just<Bool> { map { $0 == output } }
}
#endif
