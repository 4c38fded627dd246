/// A value of a document, as a decoder of a model sees it.
///
/// With twenty bytes it fits into an existential: giving a model its decoder allocates nothing.
struct Value {
    let document: Document
    /// The index of its token.
    let token: UInt32
    /// The array or object around it.
    let parent: UInt32
    /// Its index there, or the token of its key.
    let ordinal: UInt32

    /// Its token.
    @_transparent var content: Token { document.tape[token] }
}

extension Value: Decoder {
    var codingPath: [any CodingKey] { document.path(parent: parent, ordinal: ordinal) }

    var userInfo: [CodingUserInfoKey: Any] { document.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard content.kind == .object else { throw mismatch([String: Any].self, "keyed decoding container") }
        return KeyedDecodingContainer(KeyedContainer<Key>(document: document, object: token))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard content.kind == .array else { throw mismatch([Any].self, "unkeyed decoding container") }
        return UnkeyedContainer(document: document, array: token)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension Value: SingleValueDecodingContainer {
    func decodeNil() -> Bool { content.kind == .null }

    @inline(__always) func decode<Model: Scalar>(_: Model.Type) throws -> Model { try Model.read(self) }

    func decode<Model: Decodable>(_ type: Model.Type) throws -> Model { try model(type) }

    // By themselves: a generic function comes behind the defaults of the protocol.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: Int128.Type) throws -> Int128 { try integer() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: UInt128.Type) throws -> UInt128 { try integer() }
}
