extension Value: SingleValueDecodingContainer {
    func decodeNil() -> Bool { content.kind == .null }
    func decode(_: Bool.Type) throws -> Bool { try bool() }
    func decode(_: String.Type) throws -> String { try string() }
    func decode(_: Double.Type) throws -> Double { try double() }
    func decode(_: Float.Type) throws -> Float { try float() }
    func decode(_: Int.Type) throws -> Int { try int() }
    func decode(_: Int8.Type) throws -> Int8 { try integer() }
    func decode(_: Int16.Type) throws -> Int16 { try integer() }
    func decode(_: Int32.Type) throws -> Int32 { try integer() }
    func decode(_: Int64.Type) throws -> Int64 { try int64() }
    func decode(_: UInt.Type) throws -> UInt { try integer() }
    func decode(_: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_: UInt64.Type) throws -> UInt64 { try integer() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: Int128.Type) throws -> Int128 { try integer() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_: UInt128.Type) throws -> UInt128 { try integer() }
    func decode<Model: Decodable>(_ type: Model.Type) throws -> Model { try model(type) }
}
