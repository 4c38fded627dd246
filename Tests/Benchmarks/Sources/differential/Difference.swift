import Chains
import OnOpenCombine
import OnOurs

/// What happens to one chain in the two libraries.
struct Difference {
    let chain: Chain
    let ours: [Event]
    let theirs: [Event]

    /// Rules that ours breaks.
    var ourViolations: Set<Violation> { chain.violations(in: ours) }
    /// Rules that theirs breaks.
    var theirViolations: Set<Violation> { chain.violations(in: theirs) }

    /// Whether there is a difference that needs a rule, or ours breaks one of Combine's.
    var isReal: Bool { comparable(ours) != comparable(theirs) || !ourViolations.isEmpty }

    /// What is left when what would make a difference in nearly every chain, and hide others, is left out.
    private func comparable(_ log: [Event]) -> [Event] {
        var log = log.withoutWhatIsLate.withCancelsInOrder
        // Which comes first, the subscription downstream or the one upstream, is not said; nor when other publishers are
        // subscribed to.
        if has(anyOf: Self.beginInTheirOwnOrder) { log = log.withoutSubscribing.withPrologueInOrder }
        // Theirs asks upstream for everything besides what downstream asks for. Where values come of it, it shows.
        if has("replaceEmpty", "ignoreOutput") { log = log.withoutRequests }
        return log
    }

    /// Whether the logs are equal without these events.
    func isOnly(_ isLeftOut: (Event) -> Bool) -> Bool {
        comparable(ours).filter { !isLeftOut($0) } == comparable(theirs).filter { !isLeftOut($0) }
    }

    /// Whether the same happens in another order.
    var isOnlyOrder: Bool {
        comparable(ours).map(\.description).sorted() == comparable(theirs).map(\.description).sorted()
    }

    /// What our subscriber gets and theirs does not, if that is all.
    var onlyOurs: [Event]? {
        var rest = comparable(theirs).filter { !$0.isUpstream }
        let extra = comparable(ours).filter { !$0.isUpstream }.filter { event in
            guard rest.first == event else { return true }
            rest.removeFirst()
            return false
        }
        return rest.isEmpty ? extra : nil
    }

    private static let beginInTheirOwnOrder = [
        "flatMap", "flatMap of Just", "switchToLatest", "zip", "zip 3", "prepend elements", "prepend publisher",
        "dropFirst",
        "drop(untilOutputFrom:)", "prefix(untilOutputFrom:)", "buffer by request", "buffer kept full", "buffer or fail",
        "throttle first", "throttle latest", "share", "multicast", "makeConnectable", "delay", "timeout",
        "timeout with error",
    ]

    /// Whether the chain has any of these operators.
    func has(_ names: String...) -> Bool { has(anyOf: names) }

    func has(anyOf names: [String]) -> Bool { chain.operators.contains { names.contains($0.name) } }
}

extension Difference {
    /// Runs `chain` in both.
    init(running chain: Chain) {
        self.init(chain: chain, ours: OnOurs.run(chain), theirs: OnOpenCombine.run(chain))
    }
}
