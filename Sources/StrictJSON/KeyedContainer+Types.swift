// Each type by itself, because the defaults of the protocol look three times for an optional value.
extension KeyedContainer {
    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try value(key).bool() }
    func decode(_: String.Type, forKey key: Key) throws -> String { try value(key).string() }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try value(key).double() }
    func decode(_: Float.Type, forKey key: Key) throws -> Float { try value(key).float() }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try value(key).int() }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).int64() }
    func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).integer() }
    func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).integer() }
    func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).integer() }
    func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try value(key).integer() }
    func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).integer() }
    func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).integer() }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).integer() }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).integer() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try value(key).integer() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(key).integer() }
    func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model { try value(key).model(type) }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try present(key)?.bool() }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { try present(key)?.string() }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try present(key)?.double() }
    func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try present(key)?.float() }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try present(key)?.int() }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try present(key)?.int64() }
    func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try present(key)?.integer() }
    func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try present(key)?.integer() }
    func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try present(key)?.integer() }
    func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try present(key)?.integer() }
    func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try present(key)?.integer() }
    func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? { try present(key)?.integer() }
    func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? { try present(key)?.integer() }
    func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? { try present(key)?.integer() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_: Int128.Type, forKey key: Key) throws -> Int128? { try present(key)?.integer() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_: UInt128.Type, forKey key: Key) throws -> UInt128? { try present(key)?.integer() }
    func decodeIfPresent<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model? {
        try present(key)?.model(type)
    }
}
