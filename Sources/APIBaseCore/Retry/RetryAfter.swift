import Basics
import HTTPTransport

/// The header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
///
/// Servers also write fractions, which are rounded up to whole seconds (`2.5` is 3 s), spans such as `30s`, and dates
/// in other forms (``HTTPDate/liberalDate(_:now:)``). If it has come several times, the longest wait counts.
/// `Retry-After-Ms` and `X-Ms-Retry-After-Ms` are more exact, and are preferred.
package enum RetryAfter {
    /// The delay that the server asks for; `nil` if the header is missing or cannot be read.
    ///
    /// A date is compared with the `Date` of the response, so that different clocks do not matter.
    package static func wait(asked head: ResponseHead, now: Date = Date()) -> Duration? {
        wait(asked: head.value(of:), now: now)
    }

    /// The delay that the server asks for in a failure.
    package static func wait(asked failure: HTTPFailure) -> Duration? {
        wait(asked: { failure.headers["\($0)"] }, now: Date())
    }

    private static func wait(asked header: (StaticString) -> String?, now: Date) -> Duration? {
        let names: [StaticString] = ["retry-after-ms", "x-ms-retry-after-ms"]
        let milliseconds = names.lazy.compactMap(header).compactMap {
            longest(of: $0, { wait($0, of: .milliseconds(1)) })
        }
        if let first = milliseconds.first { return first }
        guard let text = header("retry-after") else { return nil }
        return longest(of: text) { text in
            if let wait = wait(text, of: .seconds(1)) { return wait }
            if let span = RateLimitTime.span(text) { return Duration(limiting: span.rounded(.up)) }
            guard let date = HTTPDate.liberalDate(text, now: now) else { return nil }
            let sent = header("date").flatMap { $0.repeatedValues { HTTPDate.liberalDate($0, now: now) }.first } ?? now
            return Duration(limiting: date.timeIntervalSince(sent))
        }
    }

    private static func longest(of text: String, _ read: (String) -> Duration?) -> Duration? {
        text.repeatedValues(read).max()
    }

    /// This number of units, rounded up; `nil` if it is not a number. A number of more than nine digits exceeds every
    /// limit.
    private static func wait(_ text: String, of unit: Duration) -> Duration? {
        guard let first = text.utf8.first, first.isASCIIDigit,
            text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }), let number = Double(text)
        else { return nil }
        return unit * Int(min(number.rounded(.up), 999_999_999))
    }
}
