/// A property of a value that may contain a value of the same type, such as the parent of a comment.
///
/// ```swift
/// struct Comment: Codable {
///     var text: String
///     @Indirect var parent: Comment?
/// }
/// ```
///
/// Without it, the compiler refuses such a property: the value would have no end. A missing member of an object is
/// decoded as `nil`, and `nil` is left out, as for any optional property. Where null and a missing member are told apart,
/// it is `@Indirect @Patch var parent: Comment?`, and an initializer sets `_parent = Indirect(wrappedValue: Patch())`.
@propertyWrapper public enum Indirect<Value> {
    /// The value, in memory of its own.
    indirect case value(Value)

    /// The value.
    public var wrappedValue: Value {
        get {
            switch self {
            case .value(let value): value
            }
        }
        set { self = .value(newValue) }
    }

    /// The value itself. Of a ``Patch``, that is the wrapper: `$parent.isSet`, `$parent.unset()`.
    public var projectedValue: Value {
        get { wrappedValue }
        set { wrappedValue = newValue }
    }

    /// Creates one with a value.
    public init(wrappedValue: Value) { self = .value(wrappedValue) }
}

extension Indirect: Sendable where Value: Sendable {}
extension Indirect: Equatable where Value: Equatable {}
extension Indirect: Hashable where Value: Hashable {}

extension Indirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value as text.
    public var description: String { String(describing: wrappedValue) }

    /// The value as text, as in a description of the type that has it.
    public var debugDescription: String { String(reflecting: wrappedValue) }

    /// The mirror for `dump`: that of the value.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension Indirect: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Indirect: Decodable where Value: Decodable {
    /// Decodes the value.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
    }
}

extension KeyedEncodingContainer {
    /// Encodes a value, and leaves out `nil`. The compiler uses it for properties with ``Indirect``.
    public mutating func encode<Value: Encodable>(_ value: Indirect<Value?>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }

    /// Encodes a value or a `null`, and leaves out an absent one. The compiler uses it for properties with ``Indirect``
    /// and ``Patch``.
    public mutating func encode<Value: Encodable>(_ value: Indirect<Patch<Value>>, forKey key: Key) throws {
        try encode(value.wrappedValue, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a value; `nil` if the member is missing. The compiler uses it for properties with ``Indirect``.
    public func decode<Value: Decodable>(_ type: Indirect<Value?>.Type, forKey key: Key) throws -> Indirect<Value?> {
        Indirect(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }

    /// Decodes a value or a `null`; an absent one if the member is missing. The compiler uses it for properties with
    /// ``Indirect`` and ``Patch``.
    public func decode<Value: Decodable>(
        _ type: Indirect<Patch<Value>>.Type,
        forKey key: Key
    ) throws -> Indirect<Patch<Value>> {
        Indirect(wrappedValue: try decode(Patch<Value>.self, forKey: key))
    }
}
