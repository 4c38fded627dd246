// Each type by itself, as in a keyed container.
extension UnkeyedContainer {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.string() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.double() } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.float() } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.int() } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) { try $0.int64() } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) { try $0.integer() } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) { try $0.integer() } }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.integer() } }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.integer() } }
    mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
        try next(type) { try $0.model(type) }
    }

    mutating func decodeIfPresent(_: Bool.Type) throws -> Bool? { try nextIfPresent { try $0.bool() } }
    mutating func decodeIfPresent(_: String.Type) throws -> String? { try nextIfPresent { try $0.string() } }
    mutating func decodeIfPresent(_: Double.Type) throws -> Double? { try nextIfPresent { try $0.double() } }
    mutating func decodeIfPresent(_: Float.Type) throws -> Float? { try nextIfPresent { try $0.float() } }
    mutating func decodeIfPresent(_: Int.Type) throws -> Int? { try nextIfPresent { try $0.int() } }
    mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? { try nextIfPresent { try $0.int64() } }
    mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try nextIfPresent { try $0.integer() } }
    mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? { try nextIfPresent { try $0.integer() } }
    mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? { try nextIfPresent { try $0.integer() } }
    mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try nextIfPresent { try $0.integer() } }
    mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? { try nextIfPresent { try $0.integer() } }
    mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? { try nextIfPresent { try $0.integer() } }
    mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? { try nextIfPresent { try $0.integer() } }
    mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? { try nextIfPresent { try $0.integer() } }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decodeIfPresent(_: Int128.Type) throws -> Int128? { try nextIfPresent { try $0.integer() } }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decodeIfPresent(_: UInt128.Type) throws -> UInt128? { try nextIfPresent { try $0.integer() } }
    mutating func decodeIfPresent<Model: Decodable>(_ type: Model.Type) throws -> Model? {
        try nextIfPresent { try $0.model(type) }
    }
}
