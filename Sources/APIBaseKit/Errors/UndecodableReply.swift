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

    init<Model>(_ error: DecodingError, as type: Model.Type, _ reply: APIBase.DataResponseTuple) {
        self.type = String(describing: type)
        self.reply = HTTPFailure(reply)
        cause = Cause(error: error)
        let json = try? JSONSerialization.jsonObject(with: reply.data, options: .fragmentsAllowed)
        guard let json else {
            (place, expected, found) = ("", "JSON", Self.kind(ofText: reply.data))
            return
        }
        guard !error.isAboutANumber else {
            (place, expected, found) = ("", "numbers that fit their types", "one that does not")
            return
        }
        let (path, expected) = error.pathAndExpectation
        place = JSONPlace.text(of: path)
        self.expected = expected
        let value = JSONPlace.value(at: path, in: json)
        found =
            switch error {
            case .keyNotFound: "\(value.map(JSONPlace.kind) ?? "nothing") without it"
            // Foundation names the object, and not what in it has a value that cannot be.
            case .dataCorrupted where value is [String: Any] || value is [Any]: "one that it does not"
            default: value.map(JSONPlace.kind) ?? "nothing"
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
        case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON that is broken or cut off"
        default: "text that is no JSON"
        }
    }
}

extension DecodingError {
    /// Whether JSON was called invalid that is not: on Linux, Foundation says so, and no place, of a number that does not
    /// fit its type.
    fileprivate var isAboutANumber: Bool {
        guard case .dataCorrupted(let context) = self else { return false }
        return context.codingPath.isEmpty && context.debugDescription == "The given data was not valid JSON."
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
