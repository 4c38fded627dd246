import HTTPTransport

/// The body of an accepted response that could not be decoded.
///
/// It names places and kinds of values, never values, which may be secret. The body itself is in ``reply``.
public struct UndecodableReply: Sendable, Hashable, CustomStringConvertible {
    /// The type of the value to decode.
    public let type: String
    /// The place in the JSON, such as `items[3].title`. Empty for the top level.
    public var place: String { reply.secrets.removed(from: path) }
    /// The type or key that was expected there, such as `Int` or `the key “title”`. For a text: `text in utf-8`.
    public var expected: String { reply.secrets.removed(from: expectation) }
    /// The kind of value that was found, such as `a string`, `null`, `nothing` or `HTML`. For a text: its charset, if
    /// that is not known.
    public var found: String { content.text(without: reply.secrets) }
    /// The response: status, headers, body and redacted URL.
    public private(set) var reply: HTTPFailure
    /// The decoder's error. Its text may quote values of the response, so it is not part of ``description``.
    public var underlying: DecodingError { cause.error }

    /// The value that was found, with the name that the server gives it.
    private enum Content: Hashable {
        case kind(String)
        case coding(String)
        case charset(String, of: String)

        func text(without secrets: RequestSecrets) -> String {
            let shown = { (name: String) in "“\(HTTPFailure.presentable(name, without: secrets, limit: 40))”" }
            return switch self {
            case .kind(let kind): kind
            case .coding(let name): "bytes in the content coding \(shown(name)), which is not known"
            // A part of a secret would not be recognized.
            case .charset(let name, let type):
                "the charset \(secrets.removed(from: type) == type ? shown(name) : RedactionRules.marker)"
            }
        }
    }

    /// The place, the expectation and the content with the secrets of the call: keys of dictionaries may be secret.
    private let path: String
    private let expectation: String
    private let content: Content
    private let cause: DecodingCause

    init<Model>(
        _ error: DecodingError,
        as type: Model.Type,
        _ reply: (data: Data, response: HTTPURLResponse),
        by decoder: BodyDecoder
    ) {
        self.type = String(describing: type)
        self.reply = HTTPFailure(reply, by: decoder)
        cause = DecodingCause(error: error)
        let diagnosis = DecodingDiagnosis(error, in: reply.data)
        (path, expectation) = (diagnosis.place, diagnosis.expected)
        let coding = expectation == "JSON" ? Self.coding(of: reply.response) : nil
        content = coding ?? .kind(diagnosis.found)
    }

    /// A coding that was not decoded, as the server has written it.
    private static func coding(of response: HTTPURLResponse) -> Content? {
        guard let field = response.value(forHTTPHeaderField: "Content-Encoding") else { return nil }
        return ContentCodings(field).remaining.map { _ in .coding(field) }
    }

    /// A text that could not be decoded.
    init(_ error: TextBody.Undecodable, _ reply: (data: Data, response: HTTPURLResponse), by decoder: BodyDecoder) {
        (self.type, path, expectation) = ("String", "", error.expected)
        let type = reply.response.value(forHTTPHeaderField: "Content-Type") ?? ""
        let charset = error.charset.map { Content.charset($0, of: type) }
        content = Self.coding(of: reply.response) ?? charset ?? .kind("other bytes")
        self.reply = HTTPFailure(reply, by: decoder)
        let text = "Expected \(error.expected)."
        cause = DecodingCause(error: .dataCorrupted(.init(codingPath: [], debugDescription: text)))
    }

    func removing(_ secrets: RequestSecrets) -> UndecodableReply {
        var undecodable = self
        undecodable.reply = reply.removing(secrets)
        return undecodable
    }

    /// A sentence with the URL, the type, the place, what was expected and what was found.
    public var description: String {
        let diagnosis = DecodingDiagnosis.sentence(place: place, expected: expected, found: found)
        return "\(reply.subject) is no \(type): \(diagnosis)"
    }
}

extension UndecodableReply: CustomReflectable {
    /// The parts that the description shows, and the response.
    public var customMirror: Mirror {
        Mirror(self, children: ["type": type, "place": place, "expected": expected, "found": found, "reply": reply])
    }
}

/// A line or an event of a stream that could not be decoded.
///
/// It names places and kinds of values, never values, which may be secret. The line itself is in ``line``. An error of
/// the operator `jsonLines(of:decoder:limit:)` does not know the call whose body it reads, and what is secret there. It
/// shows the names of members that are cases of the model's `CodingKeys`, and “…” for others.
public struct UndecodableLine: Sendable, Hashable, CustomStringConvertible {
    /// The type of the value to decode.
    public let type: String
    /// The number of the line in the stream, from 1, counting skipped lines; or that of the event.
    public let number: Int
    /// The place in the JSON of the line, such as `items[3].title`. Empty for the top level.
    public var place: String { secrets.removed(from: diagnosis.place) }
    /// The type or key that was expected there, such as `Int` or `the key “title”`.
    public var expected: String { secrets.removed(from: diagnosis.expected) }
    /// The kind of value that was found, such as `a string`, `null`, `nothing` or `HTML`.
    public var found: String { diagnosis.found }
    /// The bytes of the line, without its end, or the data of the event.
    public let line: Data
    /// The decoder's error. Its text may quote values of the line, so it is not part of ``description``.
    public var underlying: DecodingError { cause.error }

    private var secrets = RequestSecrets.unknown
    private let cause: DecodingCause

    package init<Model>(_ error: DecodingError, as type: Model.Type, number: Int, _ line: Data) {
        self.type = String(describing: type)
        self.number = number
        self.line = line
        cause = DecodingCause(error: error)
    }

    /// The diagnosis with the secrets of the call, or without names of a server if the call is not known.
    private var diagnosis: DecodingDiagnosis {
        DecodingDiagnosis(underlying, in: line, isOfModel: secrets === RequestSecrets.unknown)
    }

    func removing(_ secrets: RequestSecrets) -> UndecodableLine {
        var undecodable = self
        undecodable.secrets = self.secrets.and(secrets)
        return undecodable
    }

    /// A sentence with the number of the line, the type, the place, what was expected and what was found.
    public var description: String { sentence(about: "Line") }

    package func sentence(about part: String) -> String {
        let diagnosis = DecodingDiagnosis.sentence(place: place, expected: expected, found: found)
        return "\(part) \(number) of the stream is no \(type): \(diagnosis)"
    }
}

extension UndecodableLine: CustomReflectable {
    /// Everything but the bytes, which `dump` does not show.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["type": type, "number": number, "place": place, "expected": expected, "found": found]
        )
    }
}

/// A decoder's error, which does not take part in comparisons, and is not shown by `dump`.
struct DecodingCause: Sendable, Hashable, CustomReflectable {
    let error: DecodingError
    var customMirror: Mirror { Mirror(self, children: []) }
    static func == (left: DecodingCause, right: DecodingCause) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension DecodingDiagnosis {
    /// The end of a sentence about the error.
    fileprivate static func sentence(place: String, expected: String, found: String) -> String {
        "expected \(expected)\(place.isEmpty ? "" : " at \(place)"), found \(found).".withoutControls
    }
}
