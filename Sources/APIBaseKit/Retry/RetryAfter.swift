import HTTPTransport

/// The header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date in one of the three forms of section 5.6.7.
enum RetryAfter {
    /// The delay that the server asks for; `nil` if the header is missing or cannot be read.
    ///
    /// A date is compared with the `Date` of the response, so that different clocks do not matter.
    static func wait(asked head: ResponseHead, now: Date = Date()) -> Duration? {
        wait(asked: head.value(of:), now: now)
    }

    /// The delay that the server asks for in a failure.
    static func wait(asked failure: HTTPFailure) -> Duration? { wait(asked: { failure.headers["\($0)"] }, now: Date()) }

    private static func wait(asked header: (StaticString) -> String?, now: Date) -> Duration? {
        guard let text = header("retry-after")?.trimmingCharacters(in: .whitespaces), !text.isEmpty
        else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More than nine digits exceed every limit.
            return .seconds(text.utf8.count > 9 ? 999_999_999 : Int(text) ?? 0)
        }
        guard let date = HTTPDate.date(text, now: now) else { return nil }
        let sent = header("date").flatMap { HTTPDate.date($0, now: now) } ?? now
        return Duration(limiting: date.timeIntervalSince(sent))
    }
}
