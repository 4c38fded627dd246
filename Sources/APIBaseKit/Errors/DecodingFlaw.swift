internal import StrictJSON

/// The reason why a value was not decoded: where in the JSON, what was expected, and what was there. Never values.
struct DecodingFlaw {
    /// The place in the JSON, such as `items[3].title`. Empty for the whole.
    let place: String
    /// The type or key that was expected there, such as `Int` or `the key “title”`.
    let expected: String
    /// The kind of value that was there instead, such as `a string`, `null`, `nothing` or `HTML`.
    let found: String

    /// Bytes that are looked at for what was there: to read JSON takes many times its size.
    private static let examined = 1 << 20

    /// Reads the error, and the bytes that the decoder was given.
    init(_ error: DecodingError, in data: Data) {
        if let syntaxError = error.syntaxError {
            (place, expected, found) = ("", "JSON", Self.kind(ofText: data, flaw: syntaxError.description))
            return
        }
        let isSmall = data.count <= Self.examined
        let json = isSmall ? try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) : nil
        let (path, expected) = error.pathAndExpectation
        if case .dataCorrupted = error, path.isEmpty, isSmall, json == nil {
            (place, self.expected, found) = ("", "JSON", Self.kind(ofText: data))
        } else {
            place = JSONDescription.text(of: path)
            self.expected = expected
            found = error.kind(of: json.flatMap { JSONDescription.value(at: path, in: $0) })
        }
    }

    /// The end of a sentence about a flaw.
    static func sentence(place: String, expected: String, found: String) -> String {
        "expected \(expected)\(place.isEmpty ? "" : " at \(place)"), found \(found).".withoutControls
    }

    /// The kind of a text that is no JSON, told by its first byte; where it looks like some, with what the decoder says of it.
    private static func kind(ofText data: Data, flaw: String? = nil) -> String {
        let first = data.first { !" \t\r\n".utf8.contains($0) }
        return switch first {
        case nil: data.isEmpty ? "nothing" : "white space"
        case UInt8(ascii: "<"): "HTML or XML"
        case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON that cannot be read" + (flaw.map { " (\($0))" } ?? "")
        default: "text that is no JSON"
        }
    }
}

extension DecodingError {
    /// The strict decoder's reason why a text is not JSON. It names places and characters of the syntax, never values.
    fileprivate var syntaxError: SyntaxError? {
        if case .dataCorrupted(let context) = self { context.underlyingError as? SyntaxError } else { nil }
    }

    /// The kind of value that was found, given the value if it is known.
    fileprivate func kind(of value: Any?) -> String {
        let kind = value.map(JSONDescription.kind)
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

    /// The coding path of the error, and what was expected there, without the decoder's own words, which may quote values.
    fileprivate var pathAndExpectation: ([any CodingKey], String) {
        switch self {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            (context.codingPath, JSONDescription.name(of: type))
        case .keyNotFound(let key, let context):
            (context.codingPath, key.intValue.map { "an element \($0)" } ?? "the key “\(key.stringValue)”")
        case .dataCorrupted(let context): (context.codingPath, "a value that the type allows")
        @unknown default: ([], "something else")
        }
    }
}
