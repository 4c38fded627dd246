import Basics
import HTTPTransport

/// The age of a stored response, and its freshness lifetime (RFC 9111, section 4.2), in seconds.
struct Freshness: Sendable, Equatable {
    let age: TimeInterval
    let lifetime: TimeInterval

    /// The freshness of a response at a time. Its age is never less than when it was received (section 4.2.3).
    init(of response: StoredResponse, at now: Date) {
        age = response.metadata.initialAge + max(0, now.timeIntervalSince(response.head.receivedAt))
        lifetime = response.metadata.lifetime
    }

    var isFresh: Bool { lifetime > age }

    /// The time until the response is stale, in seconds; negative if it is stale.
    var remaining: TimeInterval { lifetime - age }
}

/// The values that a cache reads from the headers of a stored response. They are read once, and not at each use.
final class CachingMetadata: Sendable {
    let control: CacheControl

    /// True if the response depends on more than headers of the request (RFC 9110, section 12.5.5).
    let variesByAnything: Bool

    /// The `Date` of the response; if that is missing or invalid, the time of receipt (RFC 9110, section 6.6.1).
    let date: Date

    /// The age of the response when it was received, and its freshness lifetime, in seconds (RFC 9111, section 4.2).
    let (initialAge, lifetime): (TimeInterval, TimeInterval)

    /// The head of the last answer, with its age: Foundation takes long to make a response.
    private let lastHead = Locked<(age: String, head: ResponseHead)?>(nil)

    init(_ received: ReceivedHead) {
        let (headers, receivedAt) = (received.headers, received.receivedAt)
        control = CacheControl(headers)
        variesByAnything = headers.varyNames.contains("*")
        let date = headers.values(for: "Date").first.flatMap { HTTPDate.date($0, now: receivedAt) } ?? receivedAt
        self.date = date
        let delay = max(0, receivedAt.timeIntervalSince(received.requestedAt))
        initialAge = max(0, receivedAt.timeIntervalSince(date), Self.statedAge(headers) + delay)
        if let stated = Self.statedLifetime(headers, control, date, receivedAt) {
            lifetime = stated
        } else if let chosen = received.lifetime {
            lifetime = chosen
        } else {
            let mayGuess = control.isPublic || StatusCacheability.isHeuristicallyCacheable(received.statusCode)
            lifetime = mayGuess ? Self.heuristicLifetime(headers, date, receivedAt) : 0
        }
    }

    /// The head for an answer with this age and URL: the last one if that has both, otherwise a new one by `make`.
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

    /// The first `Age` field in seconds; 0 if it is missing or invalid (section 5.1).
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
        // Contradictory and invalid dates, such as `0`, count as past (section 5.3).
        guard expires.allSatisfy({ $0 == first }), let end = HTTPDate.date(first, now: receivedAt) else { return 0 }
        return max(0, end.timeIntervalSince(date))
    }

    /// A tenth of the time since the last modification, but at most a day (section 4.2.2).
    private static func heuristicLifetime(_ headers: HTTPHeaders, _ date: Date, _ receivedAt: Date) -> TimeInterval {
        guard let text = headers.values(for: "Last-Modified").first,
            let lastModified = HTTPDate.date(text, now: receivedAt)
        else { return 0 }
        return min(max(0, date.timeIntervalSince(lastModified) / 10), 86_400)
    }
}
