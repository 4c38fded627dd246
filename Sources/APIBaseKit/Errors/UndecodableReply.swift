/// Why the body of an accepted reply could not be read as the value that was asked for.
///
/// It names places and kinds, never values: what a server sends may be secret. The body itself is in ``reply``.
public struct UndecodableReply: Sendable, Hashable, CustomStringConvertible {
    /// The type that was asked for.
    public let type: String
    /// Where in the JSON, such as `items[3].title`. Empty for the whole.
    public let place: String
    /// What was expected there, such as `Int` or `the key “title”`.
    public let expected: String
    /// What was there instead, such as `a string`, `null`, `nothing` or `HTML`.
    public let found: String
    /// The reply: status, headers, body and redacted URL.
    public let reply: HTTPFailure
    /// What the decoder said. Its words may quote values of the reply, so it is not part of ``description``.
    public var underlying: DecodingError { cause.error }

    private let cause: Cause

    /// Bytes of a reply that are looked at for what was there: to read JSON takes many times its size.
    private static let examined = 1 << 20

    init<Model>(_ error: DecodingError, as type: Model.Type, _ reply: APIBase.DataResponseTuple) {
        self.type = String(describing: type)
        self.reply = HTTPFailure(reply)
        cause = Cause(error: error)
        let isSmall = reply.data.count <= Self.examined
        let json = isSmall ? try? JSONSerialization.jsonObject(with: reply.data, options: .fragmentsAllowed) : nil
        let (path, expected) = error.pathAndExpectation
        if case .dataCorrupted = error, path.isEmpty, isSmall, json == nil {
            (place, self.expected, found) = ("", "JSON", Self.kind(ofText: reply.data))
        } else {
            place = JSONPlace.text(of: path)
            self.expected = expected
            found = error.kind(of: json.flatMap { JSONPlace.value(at: path, in: $0) })
        }
    }

    /// The decoder's error, which takes no part in comparing, and is not shown by `dump`.
    private struct Cause: Sendable, Hashable, CustomReflectable {
        let error: DecodingError
        var customMirror: Mirror { Mirror(self, children: []) }
        static func == (left: Cause, right: Cause) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// One sentence: the type, the place, what was expected and what was there, and where the reply came from.
    public var description: String {
        let spot = place.isEmpty ? "" : " at \(place)"
        return "\(reply.subject) is no \(type): expected \(expected)\(spot), found \(found)."
    }

    /// What is no JSON, by its first byte.
    private static func kind(ofText data: Data) -> String {
        let first = data.first { !" \t\r\n".utf8.contains($0) }
        return switch first {
        case nil: data.isEmpty ? "nothing" : "white space"
        case UInt8(ascii: "<"): "HTML or XML"
        case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON that cannot be read"
        default: "text that is no JSON"
        }
    }
}

extension DecodingError {
    /// What was there, given the value if it is known.
    fileprivate func kind(of value: Any?) -> String {
        let kind = value.map(JSONPlace.kind)
        return switch self {
        case .keyNotFound: "\(kind ?? "an object") without it"
        case .typeMismatch: kind ?? "a value of another type"
        case .valueNotFound: kind ?? "nothing"
        // Foundation often names what is around the value that cannot be.
        case .dataCorrupted where value is [String: Any] || value is [Any]: "one that it does not"
        case .dataCorrupted: kind ?? "one that it does not"
        @unknown default: kind ?? "something else"
        }
    }

    /// Where it failed, and what was expected there, without a word of the decoder's, which may quote values.
    fileprivate var pathAndExpectation: ([any CodingKey], String) {
        switch self {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            (context.codingPath, JSONPlace.name(of: type))
        case .keyNotFound(let key, let context):
            (context.codingPath, key.intValue.map { "an element \($0)" } ?? "the key “\(key.stringValue)”")
        case .dataCorrupted(let context): (context.codingPath, "a value that the type allows")
        @unknown default: ([], "something else")
        }
    }
}
