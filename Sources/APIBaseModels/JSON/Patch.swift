/// A property of a change: absent until it is set. Set to `nil`, it is a `null`, which removes the member from a
/// resource (RFC 7396).
///
/// ```swift
/// struct BookChange: Codable {
///     @Patch var title: String?
///     @Patch var subtitle: String?
/// }
///
/// var change = BookChange()
/// change.subtitle = nil                   // {"subtitle":null}
/// change.$subtitle.unset()                // {}
/// BookChange(title: "Swift", subtitle: nil)   // {"subtitle":null,"title":"Swift"}
/// ```
///
/// An absent one is left out of the object that a `Codable` type encodes as, and a member that is missing there is
/// decoded as absent. Outside of an object, such as in an array, an absent one is encoded as `null`. For a value that may
/// contain a value of the same type, ``Indirect`` stands before it: `@Indirect @Patch var parent: CommentChange?`.
///
/// `HTTPBody.mergePatch(_:)` sends a change.
@propertyWrapper public struct Patch<Value> {
    private var value: Value?

    /// Whether there is a value or a `null`; `false` if the member is absent.
    public private(set) var isSet = false

    /// The value; `nil` for a `null` or if it is absent, which ``isSet`` tells apart.
    ///
    /// Setting it makes it present, also to `nil`. A change in place, such as `change.tags?.append("new")` or an `inout`
    /// argument, leaves an absent one absent if there is no value afterwards. Swift sets the property instead where it
    /// cannot change it in place: through a key path, where the property has observers, and for a local variable.
    public var wrappedValue: Value? {
        get { value }
        set { (value, isSet) = (newValue, true) }
        _modify {
            // Also if the change throws.
            defer { if value != nil { isSet = true } }
            yield &value
        }
    }

    /// The wrapper itself: `$title.isSet`, `$title.unset()`.
    public var projectedValue: Patch {
        get { self }
        set { self = newValue }
    }

    /// Creates an absent one.
    public init() {}

    /// Creates one that is set, for the initializer of a struct: `BookChange(title: Patch("Swift"))`.
    ///
    /// - Parameter value: The value; `nil` for a `null`.
    public init(_ value: Value?) { wrappedValue = value }

    /// Makes it absent.
    public mutating func unset() { self = Patch() }
}

// MARK: Literals

// In an initializer that takes patches, they are set by literals: `BookChange(title: "Swift", subtitle: nil)`.

extension Patch: ExpressibleByNilLiteral {
    /// Creates a null that is set, not an absent one.
    public init(nilLiteral: ()) { self.init(nil) }
}

extension Patch: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// Creates a value that is set.
    public init(booleanLiteral value: Value.BooleanLiteralType) { self.init(Value(booleanLiteral: value)) }
}

extension Patch: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Creates a value that is set.
    public init(integerLiteral value: Value.IntegerLiteralType) { self.init(Value(integerLiteral: value)) }
}

extension Patch: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
    /// Creates a value that is set.
    public init(floatLiteral value: Value.FloatLiteralType) { self.init(Value(floatLiteral: value)) }
}

extension Patch: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByUnicodeScalarLiteral {
    /// Creates a value that is set.
    public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
        self.init(Value(unicodeScalarLiteral: value))
    }
}

extension Patch: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByExtendedGraphemeClusterLiteral {
    /// Creates a value that is set.
    public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
        self.init(Value(extendedGraphemeClusterLiteral: value))
    }
}

extension Patch: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    /// Creates a value that is set.
    public init(stringLiteral value: Value.StringLiteralType) { self.init(Value(stringLiteral: value)) }
}

extension Patch: ExpressibleByStringInterpolation
where
    Value: ExpressibleByStringInterpolation, Value.StringInterpolation.StringLiteralType == Value.StringLiteralType
{
    /// Creates a value that is set.
    public init(stringInterpolation text: Value.StringInterpolation) { self.init(Value(stringInterpolation: text)) }
}

/// For arrays. Other types with such literals, and dictionaries, cannot be made of the elements that a patch gets, so they
/// are wrapped: `BookChange(prices: Patch(["EUR": 12]))`.
extension Patch: ExpressibleByArrayLiteral
where Value: RangeReplaceableCollection & ExpressibleByArrayLiteral, Value.ArrayLiteralElement == Value.Element {
    /// Creates a value that is set.
    public init(arrayLiteral elements: Value.Element...) { self.init(Value(elements)) }
}

extension Patch: Sendable where Value: Sendable {}
extension Patch: Equatable where Value: Equatable {}
extension Patch: Hashable where Value: Hashable {}

extension Patch: Encodable where Value: Encodable {
    /// Encodes the value or a `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension Patch: Decodable where Value: Decodable {
    /// Decodes a value or a `null`.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value?.self))
    }
}

extension KeyedEncodingContainer {
    /// Encodes a value or a `null`, and leaves out an absent one. The compiler uses it for properties with ``Patch``.
    public mutating func encode<Value: Encodable>(_ patch: Patch<Value>, forKey key: Key) throws {
        if let value = patch.wrappedValue { return try encode(value, forKey: key) }
        if patch.isSet { try encodeNil(forKey: key) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a value or a `null`; an absent one if the member is missing. The compiler uses it for properties with
    /// ``Patch``.
    public func decode<Value: Decodable>(_ type: Patch<Value>.Type, forKey key: Key) throws -> Patch<Value> {
        contains(key) ? Patch(try decodeIfPresent(Value.self, forKey: key)) : Patch()
    }
}
