import Chains

/// A difference that is known, and its reason.
struct Rule: Sendable {
    enum Verdict: String, Sendable {
        case theirs = "theirs is wrong"
        case open = "undocumented"
    }

    let name: String
    let verdict: Verdict
    /// What is said about it where, and why ours does it as it does.
    let reason: String
    /// Whether it explains this difference, of a chain that has been shrunk.
    let explains: @Sendable (Difference) -> Bool
}

/// Rules that are asked in this order.
let rules: [Rule] = [
    breaks(.unasked, "a subscriber never gets more values than it has asked for (`Subscription.request(_:)`)"),
    breaks(.afterEnd, "nothing follows the completion (`Subscriber.receive(completion:)`)"),
    breaks(.afterCancel, "nothing follows `cancel()`: it stops delivery at once (`Cancellable`)"),
    breaks(.leftOpen, "an operator that ends the stream itself cancels upstream first"),
    breaks(.notCancelled, "`cancel()` frees what is upstream"),
    breaks(.cancelledTwice, "upstream is cancelled once"),
    breaks(.noSubscription, "the subscription comes once and first (`Subscriber.receive(subscription:)`)"),
    Rule(
        name: "OpenCombine delivers its replacement again for demand made while it is delivered",
        verdict: .theirs,
        reason: "an operator that replaces the end does so with one value",
        explains: { difference in
            difference.has("replaceError", "assertNoFailure", "replaceEmpty")
                && difference.theirs.filter(\.isValue).count > difference.ours.filter(\.isValue).count
        }
    ),
    Rule(
        name: "Empty and Fail, and sequences of nothing, end although cancelled when they are subscribed to",
        verdict: .open,
        reason:
            "in both libraries; what they hand out is `Subscriptions.empty`, which stands for nothing to be cancelled",
        explains: { difference in
            difference.ourViolations == [.afterCancel] && difference.chain.subscriber.cancelsInside == 0
        }
    ),
    Rule(
        name: "OpenCombine withholds an end without a value until there is demand",
        verdict: .open,
        reason: "demand is for values (`Subscribers.Demand`); ours ends a stream of nothing without waiting for any",
        explains: { difference in
            difference.has(anyOf: withholding) && difference.onlyOurs == [.finished]
        }
    ),
    Rule(
        name: "OpenCombine's flatMap gives a subscription of its own before upstream's has come",
        verdict: .open,
        reason: "ours hands one on when upstream has one, so that a request reaches somebody",
        explains: { difference in
            guard difference.has("flatMap", "flatMap of Just") else { return false }
            return difference.isOnly { event in
                switch event {
                case .subscription, .asks, .requested, .called: true
                default: false
                }
            }
        }
    ),
    Rule(
        name: "nothing is subscribed to for a subscriber that has cancelled in the beginning",
        verdict: .open,
        reason: "the subscriber sees the same; OpenCombine subscribes upstream and cancels, or leaves it running",
        explains: { $0.chain.subscriber.cancelsInside == 0 && $0.isOnly(\.isUpstream) }
    ),
    Rule(
        name: "drop(untilOutputFrom:) releases the other publisher",
        verdict: .open,
        reason: "one value of it is enough; OpenCombine keeps the subscription, and does not ask for more",
        explains: { $0.has("drop(untilOutputFrom:)") && $0.isOnly(\.isUpstream) }
    ),
    Rule(
        name: "a prefix of nothing ends at once",
        verdict: .open,
        reason: "ours needs no upstream for it; OpenCombine's waits for upstream's first value or end",
        explains: { difference in
            difference.chain.operators.contains {
                $0.name == "prefix" && $0.parameter == 0 || $0.name == "output(in:)" && $0.parameter % 3 == 0
            }
        }
    ),
    Rule(
        name: "output(at:), output(in:) and prefix cancel upstream before they deliver the last value",
        verdict: .open,
        reason: "as `first` does; OpenCombine's deliver it first, so that what is upstream may run on",
        explains: { difference in
            difference.has("output(at:)", "output(in:)", "prefix") && difference.isOnly { !$0.isDownstream }
        }
    ),
    Rule(
        name: "OpenCombine's output(at:), output(in:) and prefix do not end with their last value",
        verdict: .theirs,
        reason: "nothing more can come; it leaves upstream running until that ends",
        explains: { difference in
            difference.has("output(at:)", "output(in:)", "prefix") && difference.ours.contains(.finished)
                && !difference.theirs.contains(.finished)
        }
    ),
    Rule(
        name: "OpenCombine's dropFirst gives a subscription of its own before upstream's has come",
        verdict: .open,
        reason: "ours hands one on when upstream has one; both ask for what is dropped at once",
        explains: { $0.has("dropFirst") }
    ),
    Rule(
        name: "nothing is asked for once everything has been",
        verdict: .open,
        reason: "OpenCombine passes on what is returned for a value, or asked for again; nothing comes of it",
        explains: { difference in
            difference.ours.contains { if case .requested(_, nil) = $0 { true } else { false } }
                && difference.isOnly { $0.isRequest || $0 == .called("handle request") }
        }
    ),
    Rule(
        name: "buffer and throttle ask upstream when downstream has its subscription",
        verdict: .open,
        reason:
            "OpenCombine asks before that, so that what a source delivers at once is kept or lost before anybody can ask",
        explains: { difference in
            guard
                difference.has(
                    "buffer by request",
                    "buffer kept full",
                    "buffer or fail",
                    "throttle first",
                    "throttle latest"
                )
            else { return false }
            let subscription = difference.theirs.firstIndex(of: .subscription) ?? difference.theirs.endIndex
            return difference.theirs[..<subscription].contains(where: \.isRequest) || difference.isOnly(\.isUpstream)
                || difference.has("prepend elements", "prepend publisher")
        }
    ),
    Rule(
        name: "timeout counts from the subscription",
        verdict: .open,
        reason: "OpenCombine's from the first request; and what is due at the same moment comes in another order",
        explains: { $0.has("timeout", "timeout with error") }
    ),
    Rule(
        name: "OpenCombine's flatMap makes publishers after it has failed",
        verdict: .theirs,
        reason: "they have no subscriber; downstream sees the same",
        explains: { difference in
            difference.has("flatMap") && difference.isOnly { $0.isUpstream || $0 == .called("flatMap") }
        }
    ),
    Rule(
        name: "switchToLatest cancels upstream first, and then the publisher it follows",
        verdict: .open,
        reason: "OpenCombine's does it the other way round",
        explains: { $0.has("switchToLatest") && $0.isOnly(\.isUpstream) }
    ),
    Rule(
        name: "a subscriber that comes while a shared upstream delivers joins the connection under way",
        verdict: .open,
        reason: "OpenCombine connects once more for it",
        explains: { $0.has("share", "multicast", "makeConnectable") && $0.has("retry", "catch", "tryCatch") }
    ),
    Rule(
        name: "a shared upstream goes when the last subscriber does, also while it is being connected",
        verdict: .theirs,
        reason: "OpenCombine leaves it running; the subscriber sees the same",
        explains: { $0.has("share", "multicast", "makeConnectable") && $0.isOnly(\.isUpstream) }
    ),
    Rule(
        name: "zip subscribes and asks in another order",
        verdict: .open,
        reason: "the values are the same; OpenCombine's gives its subscription when all of upstream's have come",
        explains: { difference in
            guard difference.has("zip", "zip 3") else { return false }
            return difference.isOnlyOrder
                || difference.isOnly { event in
                    switch event {
                    case .subscription, .asks: true
                    default: event.isUpstream
                    }
                }
        }
    ),
    Rule(
        name: "subscribe(on:) leaves out what has been overtaken",
        verdict: .open,
        reason:
            "the subscriber sees the same; ours does not pass on a request that gets its turn after cancel or the end",
        explains: { difference in difference.has("subscribe(on:)") && difference.isOnly(\.isUpstream) }
    ),
    Rule(
        name: "OpenCombine's replaceEmpty asks upstream for everything",
        verdict: .theirs,
        reason: "the subscriber sees the same here, but has not asked for that",
        explains: { difference in difference.has("replaceEmpty") && difference.isOnly(\.isUpstream) }
    ),
    Rule(
        name: "OpenCombine's subjects deliver in no particular order",
        verdict: .open,
        reason: "ours deliver in the order of subscription",
        explains: { difference in
            (difference.isOnlyOrder || difference.isOnly(\.isUpstream))
                && difference.chain.script.contains { action in
                    switch action {
                    case .send(_, second: true), .finish(second: true), .fail(_, second: true): true
                    default: false
                    }
                }
        }
    ),
    Rule(
        name: "flatMap asks and delivers in another order",
        verdict: .open,
        reason: "both streams of events are the same; ours passes a request on before it delivers what it has kept",
        explains: { difference in
            difference.has("flatMap", "flatMap of Just") && difference.isOnly(\.isDownstream)
                && difference.isOnly { !$0.isDownstream }
        }
    ),
]

/// The rule that they break the contract here, and ours does not.
private func breaks(_ violation: Violation, _ reason: String) -> Rule {
    Rule(name: "OpenCombine \(violation.rawValue)", verdict: .theirs, reason: reason) {
        $0.theirViolations.contains(violation) && $0.ourViolations.isEmpty
    }
}

/// Operators that end with a value of their own, or with none.
private let withholding = [
    "first", "first(where:)", "tryFirst(where:)", "last", "last(where:)", "tryLast(where:)", "min", "max", "min(by:)",
    "max(by:)", "tryMin", "tryMax", "buffer by request", "buffer kept full", "buffer or fail",
]
