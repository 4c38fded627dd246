import APIBaseKit
import Basics
import Dispatch
import Foundation

/// Takes the events of calls, and works on them on a queue of its own, so that the calls do not wait.
final class EventQueue: Sendable {
    fileprivate struct Event {
        let event: CallEvent
        let time: ContinuousClock.Instant
        let date: Date
    }

    private struct State {
        var events: [Event] = []
        /// The calls with events that were left out.
        var incomplete: Set<Int> = []
        /// The bytes of the bodies that the events hold.
        var size = 0
    }

    private static let maximumCount = 10_000
    private static let maximumSize = 16 << 20

    private let queue = DispatchQueue(label: "APIBaseInspector")
    private let state = Locked(State())
    private let feed: CallFeed
    /// Only used on the queue.
    private let redactor: Locked<ExchangeRedactor>

    init(into feed: CallFeed, redacting rules: RedactionRules) {
        self.feed = feed
        redactor = Locked(ExchangeRedactor(rules))
    }

    /// Takes an event. If too much waits, the call is left out.
    func add(_ event: CallEvent) {
        let item = Event(event: event, time: .now, date: Date())
        let isFirst = state.withLock { state in
            let isIdle = state.events.isEmpty && state.incomplete.isEmpty
            let size = item.size
            if state.events.count < Self.maximumCount, state.size + size <= Self.maximumSize || isIdle {
                state.events.append(item)
                state.size += size
            } else {
                state.incomplete.insert(event.call.id)
            }
            return isIdle
        }
        if isFirst { queue.async { self.work() } }
    }

    private func work() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state
        }
        for item in waiting.events where !waiting.incomplete.contains(item.event.call.id) {
            let info = item.event.call
            feed.update(info.id) { tracker in
                var tracker = tracker ?? CallTracker(info, at: item.time, date: item.date)
                redactor.withLock { tracker.take(item.event, at: item.time, without: &$0) }
                return tracker
            }
        }
        for id in waiting.incomplete { feed.lose(id) }
    }
}

extension EventQueue.Event {
    /// The bytes of the bodies, of which most are kept only until the event has been worked on.
    fileprivate var size: Int {
        (event.timings?.response?.data.count ?? 0) + (event.call.sent?.httpBody?.count ?? 0)
    }
}
