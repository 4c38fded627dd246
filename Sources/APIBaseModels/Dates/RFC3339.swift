extension JSONDecoder.DateDecodingStrategy {
    /// Dates of RFC 3339, with or without a fraction of a second: the same as ``iso8601WithFractions``.
    public static var rfc3339: JSONDecoder.DateDecodingStrategy { .iso8601WithFractions }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Dates of RFC 3339 in UTC: `2026-11-24T08:30:00Z`, with milliseconds if there are any, as in a query.
    ///
    /// A year before 0 or after 9999, which the format does not have, is an `EncodingError`.
    public static var rfc3339: JSONEncoder.DateEncodingStrategy {
        .custom { date, encoder in
            var container = encoder.singleValueContainer()
            guard let text = date.internetText(.ifNeeded) else {
                let problem = "The date has no text in RFC 3339."
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: problem)
                throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
            }
            try container.encode(text)
        }
    }
}
