internal import Foundation

/// An array of a document, as a model sees it. It fits into an existential, as ``Value`` does.
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

    /// Reads the next element with `read`. If that fails, the element is still the next.
    @inline(__always) mutating func next<Result>(
        _ type: Any.Type,
        _ read: (Value) throws -> Result
    ) throws -> Result {
        guard !isAtEnd else { throw atEnd(type) }
        let result = try read(current)
        advance()
        return result
    }

    /// Reads the next element with `read`; nil if there is none, or null. Null is passed by.
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

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next((any Decoder).self) { $0 }
    }
}
