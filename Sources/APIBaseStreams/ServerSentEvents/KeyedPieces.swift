/// Values whose text comes in pieces, several at a time, as the tool calls in a language model's answer do.
///
/// A value begins with its key, by which its pieces name it, and a head, such as the name of the tool:
///
/// ```swift
/// var calls = KeyedPieces<Int, String>()
/// for try await piece in ToolRequest(messages).eachValue() {
///     if let name = piece.name { try calls.begin(piece.index, name) }
///     try calls.append(piece.arguments, to: piece.index)
/// }
/// for call in calls.values where call.head == "forecast" { show(try call.decode(Place.self)) }
/// ```
public struct KeyedPieces<Key: Hashable & Sendable, Head: Hashable & Sendable>: Sendable {
    /// A value, as far as its pieces have come.
    public struct Value: Hashable, Sendable {
        /// The key, by which its pieces name it.
        public let key: Key
        /// The state that was known at its beginning.
        public let head: Head
        /// Its pieces, joined.
        public fileprivate(set) var text = ""
        /// Its place among the values, from 1.
        fileprivate let number: Int

        /// Decodes the joined pieces as JSON. Without pieces, or if all are empty, they are an empty object, as of a tool
        /// without arguments.
        ///
        /// - Parameters:
        ///   - type: The type of the value, such as a `Decodable` of your own or ``JSONValue``.
        ///   - decoder: The decoder, by default Foundation's.
        /// - Returns: The value.
        /// - Throws: ``PiecesError/undecodable(_:)`` if a piece is missing, or the text is no value of this type.
        public func decode<Model: Decodable, Decoder: TopLevelDecoder>(
            _ type: Model.Type = Model.self,
            decoder: Decoder = JSONDecoder()
        ) throws -> Model where Decoder.Input == Data {
            let data = Data((text.isEmpty ? "{}" : text).utf8)
            do { return try decoder.decode(type, from: data) } catch let error as DecodingError {
                throw PiecesError.undecodable(UndecodableLine(error, as: type, number: number, data))
            }
        }
    }

    /// The values in the order of their beginnings.
    public private(set) var values: [Value] = []

    private var places: [Key: Int] = [:]
    private let limit: Int
    private var count = 0

    /// Creates an empty collection.
    ///
    /// - Parameter limit: The most bytes of all texts together, by default 16 MiB. The beginning of a value counts as
    ///   1,024.
    public init(limit: Int = 1 << 24) { self.limit = limit }

    /// The value with a key, as far as it has come; `nil` if none has begun.
    public subscript(key: Key) -> Value? { places[key].map { values[$0] } }

    /// Begins a value. If it has begun with an equal head, as where each piece repeats it, nothing happens.
    ///
    /// - Parameters:
    ///   - key: The key, by which the pieces name the value.
    ///   - head: What is known of it, such as the name and the identifier of a call.
    /// - Throws: ``PiecesError/begunTwice(key:)`` if it has begun with another head, and ``PiecesError/tooLong(limit:)``.
    public mutating func begin(_ key: Key, _ head: Head) throws(PiecesError) {
        if let value = self[key] {
            guard value.head == head else { throw .begunTwice(key: PiecesError.shown(key)) }
            return
        }
        try count(1_024)
        places[key] = values.count
        values.append(Value(key: key, head: head, number: values.count + 1))
    }

    /// Adds a piece to the text of a value.
    ///
    /// - Throws: ``PiecesError/notBegun(key:)`` if no value with this key has begun, and ``PiecesError/tooLong(limit:)``.
    ///   Then nothing is added.
    public mutating func append(_ piece: String, to key: Key) throws(PiecesError) {
        guard let place = places[key] else { throw .notBegun(key: PiecesError.shown(key)) }
        try count(piece.utf8.count)
        values[place].text += piece
    }

    private mutating func count(_ bytes: Int) throws(PiecesError) {
        guard bytes <= limit - count else { throw .tooLong(limit: limit) }
        count += bytes
    }
}

/// Why the pieces of values were not taken, or make no value. It shows no text of them.
public enum PiecesError: Error, Hashable, Sendable {
    /// There is a piece of a value that has not begun.
    case notBegun(key: String)
    /// A value with this key has begun already, with another head.
    case begunTwice(key: String)
    /// The texts have more bytes than the limit.
    case tooLong(limit: Int)
    /// The text of a value is not JSON, or no value of the type; ``UndecodableLine/number`` is its place in
    /// ``KeyedPieces/values``, from 1, and ``UndecodableLine/line`` its text.
    case undecodable(UndecodableLine)

    /// A key as messages show it: it may come from a server.
    fileprivate static func shown(_ key: some Hashable) -> String {
        HTTPFailure.presentable(String(describing: key), limit: 40)
    }
}

extension PiecesError: LocalizedError {
    /// The problem in a sentence.
    public var errorDescription: String? {
        switch self {
        case .notBegun(let key): "There is a piece of the value \(key), which has not begun."
        case .begunTwice(let key): "The value \(key) has begun twice, with two heads."
        case .tooLong(let limit): "The values in pieces have more than \(limit) bytes."
        case .undecodable(let undecodable): undecodable.sentence(about: "Value")
        }
    }
}
