/// A publisher of one value: delivers it to each subscriber on its first demand, and then finishes.
public struct Just<Output>: Publisher {
    /// It cannot fail.
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
