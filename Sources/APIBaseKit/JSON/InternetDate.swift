extension JSONDecoder.DateDecodingStrategy {
    /// Dates as text in the format of RFC 3339, with or without a fraction of a second, on every system:
    /// `2026-11-24T08:30:00.125Z`. `.iso8601` refuses fractions on some.
    ///
    /// Another text is a `DecodingError`.
    public static var iso8601WithFractions: JSONDecoder.DateDecodingStrategy {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = Date(internetText: text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "Expected a date of RFC 3339.")
            }
            return date
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Dates as text in the format of RFC 3339, in UTC and with three digits of a second: `2026-11-24T08:30:00.125Z`.
    /// `.iso8601` drops the fraction.
    public static var iso8601WithFractions: JSONEncoder.DateEncodingStrategy {
        .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.internetText(.always))
        }
    }
}

extension Date {
    /// Whether a text has milliseconds.
    enum Fractions { case always, ifNeeded }

    /// The time in UTC, rounded to milliseconds.
    func internetText(_ fractions: Fractions) -> String {
        let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
        // The style cuts fractions off, so they are rounded before, and moved away from the edge.
        let rounded = Date(timeIntervalSince1970: milliseconds / 1_000 + 0.000_1)
        let isWhole = milliseconds.truncatingRemainder(dividingBy: 1_000) == 0
        return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: fractions == .always || !isWhole))
    }

    /// Reads a time with or without a fraction of a second, and with any offset from UTC.
    init?(internetText text: String) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        self = date
    }
}
