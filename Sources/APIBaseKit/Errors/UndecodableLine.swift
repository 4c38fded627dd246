/// Why a line of a stream could not be read as the value that was asked for.
///
/// It names places and kinds, never values: what a server sends may be secret. The line itself is in ``line``.
public struct UndecodableLine: Sendable, Hashable, CustomStringConvertible {
    /// The type that was asked for.
    public let type: String
    /// The number of the line in the stream, counted from 1, with the lines that were skipped.
    public let number: Int
    /// The place in the JSON of the line, such as `items[3].title`. Empty for the whole.
    public let place: String
    /// The type or key that was expected there, such as `Int` or `the key “title”`.
    public let expected: String
    /// The kind of value that was there instead, such as `a string`, `null`, `nothing` or `HTML`.
    public let found: String
    /// The bytes of the line, without its end.
    public let line: Data
    /// The decoder's error. Its words may quote values of the line, so it is not part of ``description``.
    public var underlying: DecodingError { cause.error }

    private let cause: DecodingCause

    init<Model>(_ error: DecodingError, as type: Model.Type, number: Int, _ line: Data) {
        self.type = String(describing: type)
        self.number = number
        self.line = line
        cause = DecodingCause(error: error)
        let flaw = DecodingFlaw(error, in: line)
        (place, expected, found) = (flaw.place, flaw.expected, flaw.found)
    }

    /// One sentence: the number of the line, the type, the place, what was expected and what was there.
    public var description: String {
        let flaw = DecodingFlaw.sentence(place: place, expected: expected, found: found)
        return "Line \(number) of the stream is no \(type): \(flaw)"
    }
}

extension UndecodableLine: CustomReflectable {
    /// Everything but the bytes: `dump` does not show them either.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["type": type, "number": number, "place": place, "expected": expected, "found": found]
        )
    }
}
