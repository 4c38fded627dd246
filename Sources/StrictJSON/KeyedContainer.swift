import Foundation

/// The keyed container of an object.
struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let keys: ObjectKeys

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

    /// The value of a key, read by `read`; nil if it is missing or null.
    @inline(__always) func present<Result>(_ key: Key, _ read: (Value) throws -> Result) rethrows -> Result? {
        guard let value = keys.find(key.stringValue), value.content.kind != .null else { return nil }
        return try read(value)
    }

    @inline(never) private func notFound(_ key: Key) -> DecodingError {
        let text = "No value associated with key \(key) (\"\(key.stringValue)\")."
        return .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }

    func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: Key) throws -> KeyedDecodingContainer<N> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder("super") }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key.stringValue) }

    /// A decoder of the value, or of null if it is missing.
    private func decoder(_ key: String) -> Value {
        keys.find(key) ?? keys.document.absent(key, in: keys.object)
    }
}

extension KeyedContainer {
    @inline(__always) func decode<Member: Scalar>(_: Member.Type, forKey key: Key) throws -> Member {
        try Member.read(value(key))
    }

    func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model { try value(key).model(type) }

    func decodeIfPresent<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model? {
        do {
            return try present(key) { try $0.model(type) }
        } catch DecodingError.dataCorrupted(let context)
            where type == Date.self && context.underlyingError is AbsentValue
        {
            return nil
        }
    }

    // Not generic: the protocol's defaults take precedence over a generic function.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try value(key).integer() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(key).integer() }

    // Not generic for the same reason. The defaults search for the value three times.
    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try present(key, Bool.read) }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { try present(key, String.read) }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try present(key, Double.read) }
    func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try present(key, Float.read) }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try present(key, Int.read) }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try present(key, Int64.read) }
    func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try present(key, Int8.read) }
    func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try present(key, Int16.read) }
    func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try present(key, Int32.read) }
    func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try present(key, UInt.read) }
    func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try present(key, UInt8.read) }
    func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? { try present(key, UInt16.read) }
    func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? { try present(key, UInt32.read) }
    func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? { try present(key, UInt64.read) }
}

/// The error of a strategy for dates, below a `DecodingError`, for a value that stands for no date.
package struct AbsentValue: Error {
    package init() {}
}
