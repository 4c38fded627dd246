/// A rule of Combine's that a log can be held against.
public enum Violation: String, Comparable, Sendable {
    case noSubscription = "calls before a subscription, or gives a second one"
    case unasked = "delivers more than was asked for"
    case afterEnd = "delivers after the end"
    case afterCancel = "delivers after it was cancelled"
    case leftOpen = "ends, and leaves a source running"
    case notCancelled = "is cancelled, and leaves a source running"
    case cancelledAfterEnd = "cancels a source that has ended"
    case cancelledTwice = "cancels a source twice"

    /// In the order in which they are written above.
    public static func < (lhs: Violation, rhs: Violation) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What becomes of one source while a log is read.
private struct SourceState {
    var hasEnded = false
    var isCancelled = false
    var isOver: Bool { hasEnded || isCancelled }
}

extension Chain {
    /// The rules that are broken by what happened when this chain ran.
    public func violations(in log: [Event]) -> Set<Violation> {
        var violations: Set<Violation> = []
        var sources: [Int: SourceState] = [:]
        var (subscriptions, asked, isUnlimited, isOver, cancels) = (0, 0, false, false, 0)
        // With the one, cancel comes with the scheduler's next turn; with the others, upstream is the connection's.
        let detached: Set = ["subscribe(on:)", "share", "multicast", "makeConnectable"]
        let hopsUpstream = operators.contains { detached.contains($0.name) }

        for event in log {
            if event.isDownstream {
                if (event == .subscription) != (subscriptions == 0) { violations.insert(.noSubscription) }
                if isOver { violations.insert(.afterEnd) }
                if cancels > 0 { violations.insert(.afterCancel) }
            }
            switch event {
            case .subscription: subscriptions += 1
            case .value:
                if !isUnlimited, asked == 0 { violations.insert(.unasked) }
                asked = max(0, asked - 1)
            case .finished, .failed:
                isOver = true
                if !hopsUpstream, sources.values.contains(where: { !$0.isOver }) { violations.insert(.leftOpen) }
            case .asks(let amount):
                asked += amount ?? 0
                isUnlimited = isUnlimited || amount == nil
            case .cancels: cancels += 1
            case .subscribed(let source): sources[source] = SourceState()
            case .ended(let source): sources[source]?.hasEnded = true
            case .cancelled(let source):
                // What comes from outside goes right through operators without a subscription of their own.
                if sources[source]?.hasEnded == true, cancels == 0, !hopsUpstream {
                    violations.insert(.cancelledAfterEnd)
                }
                if sources[source]?.isCancelled == true, cancels < 2 { violations.insert(.cancelledTwice) }
                sources[source]?.isCancelled = true
            case .requested, .called, .action: break
            }
        }
        if cancels > 0, !hopsUpstream, sources.values.contains(where: { !$0.isOver }) {
            violations.insert(.notCancelled)
        }
        return violations
    }
}

extension [Event] {
    /// The log without the calls between a source that has ended and its subscriber. They have no effect.
    public var withoutWhatIsLate: [Event] {
        var over: Set<Int> = []
        return filter { event in
            switch event {
            case .ended(let source), .cancelled(let source): over.insert(source).inserted
            case .requested(let source, _): !over.contains(source)
            case .subscription, .value, .finished, .failed, .subscribed, .called, .action, .asks, .cancels: true
            }
        }
    }

    /// The log with sources that are cancelled one right after the other in order of their numbers.
    public var withCancelsInOrder: [Event] {
        var result: [Event] = []
        for event in self {
            var index = result.endIndex
            if case .cancelled(let source) = event {
                while index > 0, case .cancelled(let other) = result[index - 1], other > source { index -= 1 }
            }
            result.insert(event, at: index)
        }
        return result
    }

    /// The log with all that happens before anything is delivered in a fixed order.
    public var withPrologueInOrder: [Event] {
        let prologue = prefix { event in
            switch event {
            case .subscription, .subscribed, .requested, .cancelled, .asks, .cancels: true
            case .called(let name): name.hasPrefix("handle")
            case .value, .finished, .failed, .ended, .action: false
            }
        }
        return prologue.sorted { $0.description < $1.description } + dropFirst(prologue.count)
    }

    /// The log without the moments at which sources were subscribed to.
    public var withoutSubscribing: [Event] {
        filter { event in
            if case .subscribed = event { return false }
            return true
        }
    }

    /// The log without what sources were asked for.
    public var withoutRequests: [Event] {
        filter { event in
            if case .requested = event { return false }
            return event != .called("handle request")
        }
    }
}
