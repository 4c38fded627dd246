import HTTPTransport

/// The body of an accepted response that could not be decoded.
///
/// It names places and kinds of values, never values, which may be secret. The body itself is in ``reply``.
public struct UndecodableReply: Sendable, Hashable, CustomStringConvertible {
    /// The type of the value to decode.
    public let type: String
    /// The place in the JSON, such as `items[3].title`. Empty for the top level.
    public private(set) var place: String
    /// The type or key that was expected there, such as `Int` or `the key “title”`. For a text: `text in utf-8`.
    public let expected: String
    /// The kind of value that was found, such as `a string`, `null`, `nothing` or `HTML`. For a text: its charset, if
    /// that is not known.
    public private(set) var found: String
    /// The response: status, headers, body and redacted URL.
    public private(set) var reply: HTTPFailure
    /// The decoder's error. Its text may quote values of the response, so it is not part of ``description``.
    public var underlying: DecodingError { cause.error }

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
        (place, expected) = (diagnosis.place, diagnosis.expected)
        found = diagnosis.expected == "JSON" ? Self.coded(reply.response) ?? diagnosis.found : diagnosis.found
    }

    /// The words for bytes in a coding that was not decoded.
    private static func coded(_ response: HTTPURLResponse) -> String? {
        let coding = ContentCodings(response.value(forHTTPHeaderField: "Content-Encoding"))
        return coding.remaining.map { "bytes in the content coding \($0.shownName), which is not known" }
    }

    /// A text that could not be decoded.
    init(_ error: TextBody.Undecodable, _ reply: (data: Data, response: HTTPURLResponse), by decoder: BodyDecoder) {
        (type, place, expected) = ("String", "", error.expected)
        found = Self.coded(reply.response) ?? error.found
        self.reply = HTTPFailure(reply, by: decoder)
        let text = "Expected \(expected), found \(found)."
        cause = DecodingCause(error: .dataCorrupted(.init(codingPath: [], debugDescription: text)))
    }

    /// The same without the secrets of the request, which may be keys of dictionaries, and thereby places.
    func without(_ secrets: RequestSecrets) -> UndecodableReply {
        var undecodable = self
        undecodable.reply.secrets = reply.secrets.orElse(secrets)
        undecodable.place = secrets.removed(from: place)
        undecodable.found = HTTPFailure.withoutSecrets(secrets.removed(from: found))
        return undecodable
    }

    /// A sentence with the URL, the type, the place, what was expected and what was found.
    public var description: String {
        let diagnosis = DecodingDiagnosis.sentence(place: place, expected: expected, found: found)
        return "\(reply.subject) is no \(type): \(diagnosis)"
    }
}

/// A line or an event of a stream that could not be decoded.
///
/// It names places and kinds of values, never values, which may be secret. The line itself is in ``line``.
public struct UndecodableLine: Sendable, Hashable, CustomStringConvertible {
    /// The type of the value to decode.
    public let type: String
    /// The number of the line in the stream, from 1, counting skipped lines; or that of the event.
    public let number: Int
    /// The place in the JSON of the line, such as `items[3].title`. Empty for the top level.
    public private(set) var place: String
    /// The type or key that was expected there, such as `Int` or `the key “title”`.
    public let expected: String
    /// The kind of value that was found, such as `a string`, `null`, `nothing` or `HTML`.
    public let found: String
    /// The bytes of the line, without its end, or the data of the event.
    public let line: Data
    /// The decoder's error. Its text may quote values of the line, so it is not part of ``description``.
    public var underlying: DecodingError { cause.error }

    private let cause: DecodingCause

    package init<Model>(_ error: DecodingError, as type: Model.Type, number: Int, _ line: Data) {
        self.type = String(describing: type)
        self.number = number
        self.line = line
        cause = DecodingCause(error: error)
        let diagnosis = DecodingDiagnosis(error, in: line)
        (place, expected, found) = (diagnosis.place, diagnosis.expected, diagnosis.found)
    }

    /// The same without the secrets of the request.
    func without(_ secrets: RequestSecrets) -> UndecodableLine {
        var undecodable = self
        undecodable.place = secrets.removed(from: place)
        return undecodable
    }

    /// A sentence with the number of the line, the type, the place, what was expected and what was found.
    public var description: String { sentence(about: "Line") }

    func sentence(about part: String) -> String {
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
