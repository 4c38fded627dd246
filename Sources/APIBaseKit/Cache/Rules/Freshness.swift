/// How old a stored reply is, and how old it may become (RFC 9111, section 4.2). In seconds.
struct Freshness: Sendable, Equatable {
    let age: TimeInterval
    let lifetime: TimeInterval

    /// What it is at that time.
    init(of reply: StoredReply, at now: Date) {
        age = Self.age(of: reply, at: now)
        lifetime = Self.lifetime(of: reply)
    }

    var isFresh: Bool { lifetime > age }

    /// For how long it will be fresh; negative for a stale reply.
    var rest: TimeInterval { lifetime - age }

    /// The longest lifetime that is guessed: a day.
    private static let longestGuess: TimeInterval = 86400

    /// The current age (section 4.2.3). Clocks that were turned back make nothing younger than it was.
    private static func age(of reply: StoredReply, at now: Date) -> TimeInterval {
        let delay = max(0, reply.receivedAt.timeIntervalSince(reply.requestedAt))
        let apparent = max(0, reply.receivedAt.timeIntervalSince(reply.date))
        let initial = max(apparent, statedAge(reply.headers) + delay)
        return initial + max(0, now.timeIntervalSince(reply.receivedAt))
    }

    /// What `Age` says: the first, if it is a number (section 5.1).
    private static func statedAge(_ headers: HTTPHeaders) -> TimeInterval {
        let first = headers.values(for: "Age").first?.split(separator: ",", omittingEmptySubsequences: false).first
        return first.flatMap { DeltaSeconds.value(of: $0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    /// The freshness lifetime (section 4.2.1). `s-maxage` is for shared caches.
    private static func lifetime(of reply: StoredReply) -> TimeInterval {
        let control = CacheControl(reply.headers)
        if let maxAge = control.maxAge { return maxAge }
        let expires = reply.headers.values(for: "Expires")
        guard let first = expires.first else { return guess(reply, control) }
        // Dates that differ, or are none, as `0`, are in the past (section 5.3).
        guard expires.allSatisfy({ $0 == first }), let end = HTTPDate.date(first, now: reply.receivedAt) else {
            return 0
        }
        return max(0, end.timeIntervalSince(reply.date))
    }

    /// A tenth of the time for which it had not changed (section 4.2.2).
    private static func guess(_ reply: StoredReply, _ control: CacheControl) -> TimeInterval {
        guard control.isPublic || CachedStatus.isHeuristicallyCacheable(reply.statusCode),
            let changed = reply.headers.values(for: "Last-Modified").first,
            let date = HTTPDate.date(changed, now: reply.receivedAt)
        else { return 0 }
        return min(max(0, reply.date.timeIntervalSince(date) / 10), longestGuess)
    }
}

extension StoredReply {
    /// When the reply was made: its `Date`, or when it was received if that is missing or no date (RFC 9110, section 6.6.1).
    var date: Date {
        headers.values(for: "Date").first.flatMap { HTTPDate.date($0, now: receivedAt) } ?? receivedAt
    }
}
