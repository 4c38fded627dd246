/// The unkeyed container of an array. It fits into an existential without allocation, as ``Value`` does.
struct UnkeyedContainer: UnkeyedDecodingContainer {
    private let document: Document
    private let array: UInt32
    /// The token of the next element.
    private var token: UInt32
    /// The index of the next element.
    private var index: UInt32 = 0

    init(document: Document, array: UInt32) {
        self.document = document
        self.array = array
        token = array &+ 2
    }

    var codingPath: [any CodingKey] { document.path(to: array) }

    var count: Int? { Int(document.tape[array].count) }

    var isAtEnd: Bool { index >= document.tape[array].count }

    var currentIndex: Int { Int(index) }

    @inline(__always) private var current: Value {
        Value(document: document, token: token, parent: array, ordinal: index)
    }

    @inline(__always) private mutating func advance() {
        if !isAtEnd { token = document.tape.next(after: token) }
        index &+= 1
    }

    /// The next element, read by `read`. If that fails, the container does not advance.
    @inline(__always) mutating func next<Result>(_ type: Any.Type, _ read: (Value) throws -> Result) throws -> Result {
        guard !isAtEnd else { throw atEnd(type) }
        if index & 63 == 63 { try document.step() }
        let result = try read(current)
        advance()
        return result
    }

    /// The next element, read by `read`; nil at the end and for null, which is skipped.
    @inline(__always) mutating func nextIfPresent<Result>(_ read: (Value) throws -> Result) throws -> Result? {
        let isThere = !isAtEnd && current.content.kind != .null
        let result = isThere ? try read(current) : nil
        advance()
        return result
    }

    @inline(never) private func atEnd(_ type: Any.Type) -> DecodingError {
        let path = codingPath + [PathKey(index: Int(index))]
        let context = DecodingError.Context(codingPath: path, debugDescription: "Unkeyed container is at end.")
        return .valueNotFound(type, context)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw atEnd(Never.self) }
        guard current.content.kind == .null else { return false }
        advance()
        return true
    }

    mutating func nestedContainer<Keys: CodingKey>(keyedBy type: Keys.Type) throws -> KeyedDecodingContainer<Keys> {
        try next(KeyedDecodingContainer<Keys>.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}

extension UnkeyedContainer {
    @inline(__always) mutating func decode<Element: Scalar>(_ type: Element.Type) throws -> Element {
        try next(type) { try Element.read($0) }
    }

    mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model { try next(type) { try $0.model(type) } }

    mutating func decodeIfPresent<Model: Decodable>(_ type: Model.Type) throws -> Model? {
        try nextIfPresent { try $0.model(type) }
    }

    // Not generic, as in `KeyedContainer`.
    mutating func decodeIfPresent(_: Bool.Type) throws -> Bool? { try nextIfPresent(Bool.read) }
    mutating func decodeIfPresent(_: String.Type) throws -> String? { try nextIfPresent(String.read) }
    mutating func decodeIfPresent(_: Double.Type) throws -> Double? { try nextIfPresent(Double.read) }
    mutating func decodeIfPresent(_: Float.Type) throws -> Float? { try nextIfPresent(Float.read) }
    mutating func decodeIfPresent(_: Int.Type) throws -> Int? { try nextIfPresent(Int.read) }
    mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? { try nextIfPresent(Int64.read) }
    mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try nextIfPresent(Int8.read) }
    mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? { try nextIfPresent(Int16.read) }
    mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? { try nextIfPresent(Int32.read) }
    mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try nextIfPresent(UInt.read) }
    mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? { try nextIfPresent(UInt8.read) }
    mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? { try nextIfPresent(UInt16.read) }
    mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? { try nextIfPresent(UInt32.read) }
    mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? { try nextIfPresent(UInt64.read) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.integer() } }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decodeIfPresent(_: Int128.Type) throws -> Int128? { try nextIfPresent { try $0.integer() } }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.integer() } }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decodeIfPresent(_: UInt128.Type) throws -> UInt128? { try nextIfPresent { try $0.integer() } }
}
