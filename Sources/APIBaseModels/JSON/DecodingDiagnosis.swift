internal import StrictJSON

/// The diagnosis of a decoding error: the place in the JSON, what was expected there, and what was found. It holds no
/// values.
package struct DecodingDiagnosis {
    /// The place in the JSON, such as `items[3].title`. Empty for the top level.
    package let place: String
    /// The type or key that was expected there, such as `Int` or `the key “title”`.
    package let expected: String
    /// The kind of value that was found, such as `a string`, `null`, `nothing` or `HTML`.
    package let found: String

    /// The largest body that is parsed again, since that takes many times its size in memory.
    private static let parsedLimit = 1 << 20

    /// Diagnoses an error, given the bytes that the decoder has read. With `isOfModel`, it has only the names that
    /// stand in the code of the model, and “…” for those of a server.
    package init(_ error: DecodingError, in data: Data, isOfModel: Bool = false) {
        let name = { (key: any CodingKey) in isOfModel ? key.nameInCode : key.stringValue }
        if let syntaxError = error.syntaxError {
            (place, expected, found) = ("", "JSON", Self.kind(ofText: data, syntaxError: syntaxError.description))
            return
        }
        if let path = error.indistinctName {
            place = JSONDescription.text(of: path, naming: name)
            (expected, found) = ("one member", "two, whose names differ in their code points only")
            return
        }
        let isSmall = data.count <= Self.parsedLimit
        let json = isSmall ? try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) : nil
        let (path, expected) = error.pathAndExpectation(naming: name)
        if case .dataCorrupted = error, path.isEmpty, isSmall, json == nil {
            (place, self.expected, found) = ("", "JSON", Self.kind(ofText: data))
        } else {
            place = JSONDescription.text(of: path, naming: name)
            self.expected = expected
            found = error.kind(of: json.flatMap { JSONDescription.value(at: path, in: $0) })
        }
    }

    /// The kind of a text that is not JSON, by its first byte. If it looks like JSON, with the syntax error.
    private static func kind(ofText data: Data, syntaxError: String? = nil) -> String {
        let first = data.first { !" \t\r\n".utf8.contains($0) }
        return switch first {
        case nil: data.isEmpty ? "nothing" : "white space"
        case UInt8(ascii: "<"): "HTML or XML"
        case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON that cannot be read" + (syntaxError.map { " (\($0))" } ?? "")
        default: kind(ofBytes: data)
        }
    }

    private static func kind(ofBytes data: Data) -> String {
        if String(bytes: data, encoding: .utf8) == nil { return "bytes that are no text in UTF-8" }
        let isText = data.allSatisfy { $0 >= 0x20 || "\t\n\u{C}\r\u{1B}".utf8.contains($0) }
        return isText ? "text that is no JSON" : "bytes that are no text"
    }
}

extension DecodingError {
    /// The strict decoder's syntax error, which names places and characters of the syntax, but no values.
    fileprivate var syntaxError: SyntaxError? {
        if case .dataCorrupted(let context) = self { context.underlyingError as? SyntaxError } else { nil }
    }

    /// The path to a member of an object whose name Swift takes for that of another one.
    fileprivate var indistinctName: [any CodingKey]? {
        guard case .dataCorrupted(let context) = self, let error = context.underlyingError as? JSONValue.IndistinctName
        else { return nil }
        return context.codingPath + [PathKey(error.name)]
    }

    /// The kind of the value that was found, if the value is known.
    fileprivate func kind(of value: Any?) -> String {
        let kind = value.map(JSONDescription.kind)
        return switch self {
        case .keyNotFound: "\(kind ?? "an object") without it"
        case .typeMismatch: kind ?? "a value of another type"
        case .valueNotFound: kind ?? "nothing"
        case .dataCorrupted(let context) where context.underlyingError is UnrepresentableNumber:
            "a number that does not fit"
        // Foundation often names the container of the value.
        case .dataCorrupted where value is [String: Any] || value is [Any]: "one that it does not"
        case .dataCorrupted: kind ?? "one that it does not"
        @unknown default: kind ?? "something else"
        }
    }

    /// The coding path of the error and the expectation, without the decoder's own text, which may quote values.
    fileprivate func pathAndExpectation(naming name: (any CodingKey) -> String) -> ([any CodingKey], String) {
        switch self {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            (context.codingPath, JSONDescription.name(of: type))
        case .keyNotFound(let key, let context):
            (context.codingPath, key.intValue.map { "an element \($0)" } ?? "the key “\(name(key))”")
        case .dataCorrupted(let context):
            (
                context.codingPath,
                (context.underlyingError as? UnrepresentableNumber).map { JSONDescription.name(of: $0.type) }
                    ?? "a value that the type allows"
            )
        @unknown default: ([], "something else")
        }
    }
}

extension CodingKey {
    /// The name, if it is that of a case in the code of a model; “…” for others, as those of a dictionary.
    fileprivate var nameInCode: String {
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty ? stringValue : "…"
    }
}
