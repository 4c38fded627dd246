/// A value of a document, and the decoder that a model receives.
///
/// It has twenty bytes and fits into an existential, so that passing it as a decoder does not allocate.
struct Value {
    let document: Document
    /// The index of its token.
    let token: UInt32
    /// The enclosing array or object.
    let parent: UInt32
    /// Its index there, or the token of its key.
    let ordinal: UInt32

    /// Its token.
    @_transparent var content: Token { document.tape[token] }
}

extension Value: Decoder {
    var codingPath: [any CodingKey] { document.path(to: self) }

    var userInfo: [CodingUserInfoKey: Any] { document.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard content.kind == .object else { throw mismatch([String: Any].self, "keyed decoding container") }
        try document.step()
        return KeyedDecodingContainer(KeyedContainer<Key>(keys: ObjectKeys(document, token)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard content.kind == .array else { throw mismatch([Any].self, "unkeyed decoding container") }
        try document.step()
        return UnkeyedContainer(document: document, array: token)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension Value: SingleValueDecodingContainer {
    func decodeNil() -> Bool { content.kind == .null }

    @inline(__always) func decode<Model: Scalar>(_: Model.Type) throws -> Model { try Model.read(self) }

    func decode<Model: Decodable>(_ type: Model.Type) throws -> Model { try model(type) }

    // Not generic: the protocol's defaults take precedence over a generic function.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: Int128.Type) throws -> Int128 { try integer() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: UInt128.Type) throws -> UInt128 { try integer() }
}

extension Value: KindOfJSON {
    var indistinctName: String? {
        guard content.kind == .object, content.flags.contains(.complexKeys) else { return nil }
        var (names, keys): ([String: String], _) = ([:], document.tape.keys(of: token))
        while let key = keys.next() {
            let name = document.bytes.string(document.tape[key])
            if let other = names.updateValue(name, forKey: name), !other.utf8.elementsEqual(name.utf8) { return name }
        }
        return nil
    }

    var numberText: String { content.kind == .number ? document.bytes.string(content) : "" }

    var kind: JSONKind {
        switch content.kind {
        case .null: .null
        case .true, .false: .bool
        case .number: content.flags.contains(.fractional) ? .fraction : .integer
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

// Errors. Only here is the path of a value computed.
extension Value {
    /// The error for a value that is null or has another type.
    ///
    /// Null in place of a `Bool` is a type mismatch, as in Foundation.
    @inline(never) func mismatch(_ type: Any.Type, _ container: String? = nil) -> DecodingError {
        guard content.kind == .null, type != Bool.self else {
            let text = "Expected to decode \(type) but found \(content.kind.name) instead."
            return .typeMismatch(type, context(text))
        }
        let wanted = container ?? "value of type \(type)"
        return .valueNotFound(type, context("Cannot get \(wanted) -- found null value instead"))
    }

    /// The error for a value of the right type with wrong contents.
    @inline(never) func corrupted(_ text: String) -> DecodingError { .dataCorrupted(context(text)) }

    /// The error for a number that does not fit.
    @inline(never) func unrepresentable(_ type: Any.Type) -> DecodingError {
        let text = "Number \(document.bytes.string(content)) is not representable as \(type)."
        return .dataCorrupted(context(text, UnrepresentableNumber(type: type)))
    }

    private func context(_ text: String, _ underlying: (any Error)? = nil) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: text, underlyingError: underlying)
    }
}

/// Why a number is not decoded: it has a fraction, or it is too large or too small.
package struct UnrepresentableNumber: Error {
    package let type: any Any.Type
}

extension Token.Kind {
    /// The name in messages.
    var name: String {
        switch self {
        case .null: "null"
        case .true, .false: "bool"
        case .number: "number"
        case .string: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }
}

/// A decoder that knows the kind of its value.
package protocol KindOfJSON {
    var kind: JSONKind { get }

    /// The number as it is written; empty for another kind of value.
    var numberText: String { get }

    /// A name of this object that Swift takes for that of another member, with other bytes; nil without one.
    var indistinctName: String? { get }
}

/// The kind of a value, as it is written.
package enum JSONKind {
    case null, bool, string, array, object
    /// A number without a fraction and an exponent.
    case integer
    /// A number with one of them, such as `1.0`.
    case fraction
}
