internal import Foundation

/// An object of a document, as a model sees it.
struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let keys: ObjectKeys

    init(document: Document, object: UInt32) { keys = ObjectKeys(document, object) }

    var codingPath: [any CodingKey] { keys.document.path(to: keys.object) }

    var allKeys: [Key] { keys.all.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { keys.find(key.stringValue, isLast: false) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let value = keys.find(key.stringValue, isLast: false) else { throw notFound(key) }
        return value.content.kind == .null
    }

    /// The value of a key.
    @inline(__always) func value(_ key: Key) throws -> Value {
        guard let value = keys.find(key.stringValue) else { throw notFound(key) }
        return value
    }

    /// The value of a key; nil if there is none, or null.
    @inline(__always) func present(_ key: Key) -> Value? {
        guard let value = keys.find(key.stringValue), value.content.kind != .null else { return nil }
        return value
    }

    @inline(never) private func notFound(_ key: Key) -> DecodingError {
        let text = "No value associated with key \(key) (\"\(key.stringValue)\")."
        return .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder(PathKey.super.stringValue) }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key.stringValue) }

    /// A decoder of the value; of null if there is none.
    private func decoder(_ key: String) -> Value {
        keys.find(key) ?? keys.document.absent(key, in: keys.object)
    }
}
