internal import StrictJSON

/// Any value of JSON (RFC 8259), for the parts of an API whose type is not known.
///
/// ```swift
/// struct Event: Codable {
///     var name: String
///     var payload: JSONValue
/// }
///
/// let id = event.payload["order"]?["id"]?.integer
/// ```
///
/// In code it can be written as a literal: `["title": "Swift", "tags": ["language"], "draft": nil]`.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that is written without a fraction and an exponent, and fits into 64 bits. ``JSONAPI/decoder`` itself,
    /// which decodes where ``JSONAPI/usesStrictJSON`` is false, takes `1.0` for an integer too.
    case integer(Int64)
    /// Any other number, rounded to a `Double`.
    case number(Double)
    /// A text.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object. The order of its members is not kept.
    case object([String: JSONValue])
}

extension JSONValue {
    /// The Boolean; `nil` for another kind of value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The integer; `nil` for another kind of value.
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The number, also of an integer; `nil` for another kind of value.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
    /// The text; `nil` for another kind of value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The elements; `nil` for another kind of value.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The members; `nil` for another kind of value.
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// The member with a name; `nil` if there is none, or this is no object.
    public subscript(name: String) -> JSONValue? { object?[name] }

    /// The element at an index; `nil` if there is none, or this is no array.
    public subscript(index: Int) -> JSONValue? {
        // `nil` alone would be the literal of a null.
        array.flatMap { $0.indices.contains(index) ? $0[index] : JSONValue?.none }
    }
}

extension JSONValue {
    /// The value after a merge patch (RFC 7396, section 2): members of the patch replace those of this object, `null`
    /// removes them, and objects are merged. A patch that is no object replaces the whole value.
    ///
    /// - Throws: ``IndistinctName`` if the patch adds a member beside one with the same name in other code points.
    public func merging(_ patch: JSONValue) throws(IndistinctName) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? [:]
        for (name, change) in changes {
            let old = members.member(name)
            if members.hasOtherMember(like: name) {
                guard change == .null else { throw IndistinctName(name: name) }
            } else {
                // `nil` alone would be the literal of a null.
                members[name] = change == .null ? JSONValue?.none : try (old ?? .null).merging(change)
            }
        }
        return .object(members)
    }

    /// The error of an object with two members whose names Swift takes for the same, since they differ only in their
    /// code points: an `é` of one and an `é` of two. JSON tells them apart, the dictionary of an ``object(_:)`` does
    /// not.
    public struct IndistinctName: Error, Hashable, LocalizedError, CustomStringConvertible {
        /// The name of the second member.
        public let name: String

        /// The error as a sentence.
        public var description: String {
            "Two members of an object have the name “\(name)”, in different code points, which Swift takes for the same."
        }

        /// The error as a sentence.
        public var errorDescription: String? { description }
    }
}

extension Decoder {
    /// Checks that no two names of an object are the same for Swift. Only our own decoder knows all of them.
    package func checkNames() throws {
        if let name = (self as? any KindOfJSON)?.indistinctName { throw indistinct(name) }
    }

    /// The error for a name of an object that Swift takes for another one.
    func indistinct(_ name: String) -> DecodingError {
        let error = JSONValue.IndistinctName(name: name)
        let text = error.description
        return .dataCorrupted(.init(codingPath: codingPath, debugDescription: text, underlyingError: error))
    }
}

extension [String: JSONValue] {
    /// The member with a name, compared by code points, as JSON compares it (RFC 8259, section 8.3).
    package func member(_ name: String) -> JSONValue? {
        index(forKey: name).flatMap { self[$0].key.utf8.elementsEqual(name.utf8) ? self[$0].value : JSONValue?.none }
    }

    /// True if there is a member with the same name in other code points.
    package func hasOtherMember(like name: String) -> Bool { self[name] != nil && member(name) == nil }
}

extension JSONValue: Codable {
    /// Decodes any value.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with an ``IndistinctName`` for an object with two names that Swift takes
    ///   for the same. `JSONDecoder`, where ``JSONAPI/usesStrictJSON`` is false, takes one of the members instead.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch (decoder as? any KindOfJSON)?.kind {
        case .null: self = .null
        case .bool: self = .bool(try container.decode(Bool.self))
        // One that does not fit into 64 bits is rounded.
        case .integer: self = try (try? container.decode(Int64.self)).map { .integer($0) } ?? Self.number(in: container)
        case .fraction: self = try Self.number(in: container)
        case .string: self = .string(try container.decode(String.self))
        case .array: self = .array(try container.decode([JSONValue].self))
        case .object:
            try decoder.checkNames()
            self = .object(try container.decode([String: JSONValue].self))
        case nil: self = try Self.value(in: container)
        }
    }

    private static func number(in container: any SingleValueDecodingContainer) throws -> JSONValue {
        .number(try container.decode(Double.self))
    }

    /// Decodes with a decoder that does not tell the kind of its value.
    private static func value(in container: any SingleValueDecodingContainer) throws -> JSONValue {
        if let error = CurrentReading.value?.reasonToStop() { throw error }
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode([JSONValue].self) { return .array(value) }
        return .object(try container.decode([String: JSONValue].self))
    }

    /// Encodes the value.
    ///
    /// - Throws: `EncodingError` for a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

// MARK: Literals

extension JSONValue: ExpressibleByNilLiteral {
    /// Creates a null.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object. If a name occurs twice, the last counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { $1 })
    }
}
