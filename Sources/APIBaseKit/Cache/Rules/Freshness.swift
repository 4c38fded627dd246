/// The age of a stored reply, and the age that it may reach (RFC 9111, section 4.2). In seconds.
struct Freshness: Sendable, Equatable {
    let age: TimeInterval
    let lifetime: TimeInterval

    /// The freshness of a reply at that time: never younger than when it was received (section 4.2.3).
    init(of reply: StoredReply, at now: Date) {
        age = reply.facts.initialAge + max(0, now.timeIntervalSince(reply.receivedAt))
        lifetime = reply.facts.lifetime
    }

    var isFresh: Bool { lifetime > age }

    /// The time for which the reply will be fresh, in seconds; negative for a stale one.
    var rest: TimeInterval { lifetime - age }
}
