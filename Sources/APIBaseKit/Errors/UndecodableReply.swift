/// Why the body of an accepted reply could not be read as the value that was asked for.
///
/// It names places and kinds, never values: what a server sends may be secret. The body itself is in ``reply``.
public struct UndecodableReply: Sendable, Hashable, CustomStringConvertible {
    /// The type that was asked for.
    public let type: String
    /// The place in the JSON, such as `items[3].title`. Empty for the whole.
    public let place: String
    /// The type or key that was expected there, such as `Int` or `the key “title”`.
    public let expected: String
    /// The kind of value that was there instead, such as `a string`, `null`, `nothing` or `HTML`.
    public let found: String
    /// The reply: status, headers, body and redacted URL.
    public let reply: HTTPFailure
    /// The decoder's error. Its words may quote values of the reply, so it is not part of ``description``.
    public var underlying: DecodingError { cause.error }

    private let cause: DecodingCause

    init<Model>(
        _ error: DecodingError,
        as type: Model.Type,
        _ reply: (data: Data, response: HTTPURLResponse),
        by decoder: ReplyDecoder
    ) {
        self.type = String(describing: type)
        self.reply = HTTPFailure(reply, by: decoder)
        cause = DecodingCause(error: error)
        let flaw = DecodingFlaw(error, in: reply.data)
        (place, expected, found) = (flaw.place, flaw.expected, flaw.found)
    }

    /// One sentence: the type, the place, what was expected and what was there, and where the reply came from.
    public var description: String {
        let flaw = DecodingFlaw.sentence(place: place, expected: expected, found: found)
        return "\(reply.subject) is no \(type): \(flaw)"
    }
}
