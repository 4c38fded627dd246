import Basics
import StrictJSON

extension JSONDecoder.DateDecodingStrategy {
    /// Dates as text in the format of RFC 3339, with or without a fraction of a second and with any offset from UTC, on
    /// every system: `2026-11-24T08:30:00.125Z`. `.iso8601` refuses fractions on some.
    ///
    /// Another text is a `DecodingError`.
    public static var rfc3339: JSONDecoder.DateDecodingStrategy {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = Date(internetText: text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "Expected a date of RFC 3339.")
            }
            return date
        }
    }

    /// Dates as servers send them: in the format of RFC 3339, also without an offset from UTC, which is UTC then,
    /// without seconds, or as a day alone, which is its beginning in UTC.
    ///
    /// An empty text is `nil` in a member that may be missing or null, if a ``/StrictJSON/StrictJSONDecoder`` decodes,
    /// as it does for an API. Elsewhere an empty text, and everywhere another text, is a `DecodingError`.
    public static var lenient: JSONDecoder.DateDecodingStrategy {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = Date(internetText: text, isLenient: true) { return date }
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: "Expected a date.",
                    underlyingError: text.isEmpty ? AbsentValue() : nil
                )
            )
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Dates as text in the format of RFC 3339, in UTC and rounded to milliseconds, which are left out if there are
    /// none: `2026-11-24T08:30:00.125Z`, `2026-11-24T08:30:00Z`. `.iso8601` drops every fraction.
    ///
    /// A year before 0 or after 9999, which the format does not have, is an `EncodingError`.
    public static var rfc3339: JSONEncoder.DateEncodingStrategy {
        .custom { date, encoder in
            var container = encoder.singleValueContainer()
            guard let text = date.internetText else {
                let problem = "The date has no text in RFC 3339."
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: problem)
                // Not the date itself: the description of a very large one crashes.
                throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
            }
            try container.encode(text)
        }
    }
}

extension Date {
    /// The time in UTC, rounded to milliseconds, which are left out if there are none; `nil` for a year that does not
    /// have four digits.
    package var internetText: String? {
        let rounded = (timeIntervalSince1970 * 1_000).rounded()
        guard abs(rounded) < 1e15 else { return nil }
        let (seconds, milliseconds) = Int(rounded).floorDivided(by: 1_000)
        let (days, second) = seconds.floorDivided(by: 86_400)
        let day = CivilDay(daysSince1970: days)
        guard 0...9_999 ~= day.year else { return nil }
        let date = "\(day.year.padded(4))-\(day.month.padded(2))-\(day.day.padded(2))"
        let time = "\((second / 3_600).padded(2)):\((second / 60 % 60).padded(2)):\((second % 60).padded(2))"
        let fraction = milliseconds > 0 ? ".\(milliseconds.padded(3))" : ""
        return "\(date)T\(time)\(fraction)Z"
    }

    /// Reads a time of RFC 3339, section 5.6, with any offset from UTC; `nil` for another text. A leap second counts as
    /// the first second of the next minute.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isLenient: Whether the offset, the seconds and the whole time may be missing.
    package init?(internetText text: String, isLenient: Bool = false) {
        var text = InternetDateParser(text)
        guard let year = text.number(4), text.take("-"), let month = text.number(2), text.take("-"),
            let day = text.number(2), let date = CivilDay(year: year, month: month, day: day)
        else { return nil }
        if isLenient, text.isAtEnd {
            self.init(timeIntervalSince1970: Double(date.daysSince1970) * 86_400)
            return
        }
        guard text.take("T") || text.take("t") || text.take(" "),
            let hour = text.number(2), hour < 24, text.take(":"), let minute = text.number(2), minute < 60
        else { return nil }
        let hasSeconds = text.take(":")
        guard hasSeconds || isLenient, let second = hasSeconds ? text.number(2) : 0, second <= 60,
            let fraction = text.fraction(), let offset = isLenient && text.isAtEnd ? 0 : text.offset(), text.isAtEnd
        else { return nil }
        let seconds = ((date.daysSince1970 * 24 + hour) * 60 + minute - offset) * 60 + second
        self.init(timeIntervalSince1970: Double(seconds) + fraction)
    }
}

/// Reads the parts of a date from its text.
private struct InternetDateParser {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A number of exactly this many digits.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        rest.removeFirst(count)
        return digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The fraction of a second; 0 without one.
    mutating func fraction() -> Double? {
        guard take(".") else { return 0 }
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        rest.removeFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + (String(Substring(digits))))
    }

    /// The minutes by which the time is ahead of UTC.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isAhead = take("+")
        guard isAhead || take("-"), let hours = number(2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return (isAhead ? 1 : -1) * (60 * hours + minutes)
    }
}

extension Int {
    /// The quotient, rounded down, and the remainder, which is not negative.
    fileprivate func floorDivided(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The digits, with zeros before them up to this length.
    fileprivate func padded(_ length: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, length - digits.count)) + digits
    }
}
