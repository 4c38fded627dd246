import Basics

/// The forms in which services write the time at which a rate limit is renewed.
package enum RateLimitTime {
    /// The time from `sent` to the renewal, zero if that is over; `nil` for a text that cannot be read.
    ///
    /// A number is told by its size: less than 10⁹ is a number of seconds, less than 10¹¹ are the seconds since 1970,
    /// and less than 10¹⁴ the milliseconds.
    static func time(_ text: String, since sent: Date, now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let number = number(text) {
            switch number {
            case ..<1e9: return Duration(limiting: number)
            case ..<1e11: return Duration(limiting: number - sent.timeIntervalSince1970)
            case ..<1e14: return Duration(limiting: number / 1_000 - sent.timeIntervalSince1970)
            default: return nil
            }
        }
        if let seconds = span(text) { return Duration(limiting: seconds) }
        return HTTPDate.liberalDate(text, now: now).map { Duration(limiting: $0.timeIntervalSince(sent)) }
    }

    /// A number without a sign and an exponent.
    static func number(_ text: some StringProtocol) -> Double? {
        let digits = text.trimmingCharacters(in: .whitespaces)
        guard digits.utf8.first.map({ 0x30...0x39 ~= $0 }) ?? false, digits.utf8.count < 32,
            digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(digits)
    }

    /// The seconds of a text such as `6m0s`, `1.5s` or `120ms`.
    package static func span(_ text: String) -> Double? {
        var (rest, seconds) = (text[...], 0.0)
        repeat {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
            guard let number = number(digits), let length = units[String(unit)] else { return nil }
            seconds += number * length
            rest = rest.dropFirst(digits.count + unit.count)
        } while !rest.isEmpty
        return seconds
    }

    private static let units = [
        "d": 86_400, "h": 3_600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9,
    ]
}
