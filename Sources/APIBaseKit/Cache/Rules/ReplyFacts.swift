import Basics
import HTTPTransport

/// The headers of a stored reply, read once and not at every use.
final class ReplyFacts: Sendable {
    let control: CacheControl

    /// Whether it depends on more than headers of the request (RFC 9110, section 12.5.5).
    let variesByAnything: Bool

    /// The time of the reply: its `Date`, or when it was received if that is missing or no date (RFC 9110, section 6.6.1).
    let date: Date

    /// The age of the reply when it was received, and the age that it may reach, in seconds (RFC 9111, section 4.2).
    let (initialAge, lifetime): (TimeInterval, TimeInterval)

    /// The head of the last answer, with the age that it shows. Foundation takes long for a response.
    private let lastHead = Locked<(age: String, head: ResponseHead)?>(nil)

    init(statusCode: Int, headers: HTTPHeaders, requestedAt: Date, receivedAt: Date) {
        control = CacheControl(headers)
        variesByAnything = headers.varyNames.contains("*")
        let stated = headers.values(for: "Date").first.flatMap { HTTPDate.date($0, now: receivedAt) }
        let date = stated ?? receivedAt
        self.date = date
        let delay = max(0, receivedAt.timeIntervalSince(requestedAt))
        initialAge = max(0, receivedAt.timeIntervalSince(date), Self.statedAge(headers) + delay)
        lifetime =
            Self.statedLifetime(headers, control, date, receivedAt)
            ?? Self.guess(statusCode, headers, control, date, receivedAt)
    }

    convenience init(_ reply: StoredReply) {
        self.init(
            statusCode: reply.statusCode,
            headers: reply.headers,
            requestedAt: reply.requestedAt,
            receivedAt: reply.receivedAt
        )
    }

    /// The head of an answer of that age and URL, by `make` unless the last one was of them as well.
    func head(age: String, for url: URL, _ make: () -> ResponseHead) -> ResponseHead {
        if let last = lastHead.withLock({ $0 }), last.age == age, last.head.url == url { return last.head }
        let head = make()
        let before = lastHead.withLock { last in
            defer { last = (age, head) }
            return last
        }
        withExtendedLifetime(before) {}
        return head
    }
}

// MARK: Ages and lifetimes

extension ReplyFacts {
    /// The longest lifetime that is guessed: a day.
    private static let longestGuess: TimeInterval = 86400

    /// The age stated by the first `Age` field, in seconds; 0 if that is missing or no number (section 5.1).
    private static func statedAge(_ headers: HTTPHeaders) -> TimeInterval {
        let first = headers.values(for: "Age").first?.split(separator: ",", omittingEmptySubsequences: false).first
        return first.flatMap { DeltaSeconds.value(of: $0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    /// The freshness lifetime that a server states (section 4.2.1). `s-maxage` is for shared caches.
    private static func statedLifetime(
        _ headers: HTTPHeaders,
        _ control: CacheControl,
        _ date: Date,
        _ receivedAt: Date
    ) -> TimeInterval? {
        if let maxAge = control.maxAge { return maxAge }
        let expires = headers.values(for: "Expires")
        guard let first = expires.first else { return nil }
        // Dates that differ, or are none, as `0`, are in the past (section 5.3).
        guard expires.allSatisfy({ $0 == first }), let end = HTTPDate.date(first, now: receivedAt) else { return 0 }
        return max(0, end.timeIntervalSince(date))
    }

    /// A tenth of the time for which it had not changed (section 4.2.2).
    private static func guess(
        _ statusCode: Int,
        _ headers: HTTPHeaders,
        _ control: CacheControl,
        _ date: Date,
        _ receivedAt: Date
    ) -> TimeInterval {
        guard control.isPublic || CachedStatus.isHeuristicallyCacheable(statusCode),
            let changed = headers.values(for: "Last-Modified").first,
            let changedAt = HTTPDate.date(changed, now: receivedAt)
        else { return 0 }
        return min(max(0, date.timeIntervalSince(changedAt) / 10), longestGuess)
    }
}
