import APIBaseKit
import APIBaseRecording
import Basics
import Dispatch
import Foundation
import HTTPTransport

/// Takes the events of calls, and works on them on a queue of its own, so that the calls do not wait.
final class EventQueue: Sendable {
    fileprivate struct Event {
        let event: CallEvent
        let time: ContinuousClock.Instant
        let date: Date
    }

    private struct State {
        var events: [Event] = []
        /// The calls of events that were left out.
        var incomplete: Set<Int> = []
        /// The bytes of the bodies that the events hold.
        var size = 0
    }

    private static let maximumCount = 10_000
    private static let maximumSize = 16 << 20

    private let queue = DispatchQueue(label: "APIBaseInspector")
    private let state = Locked(State())
    private let feed: CallFeed
    /// Only used on the queue; the lock is for the compiler.
    private let redactor: Locked<ExchangeRedactor>

    init(into feed: CallFeed, redacting rules: RedactionRules) {
        self.feed = feed
        redactor = Locked(ExchangeRedactor(rules))
    }

    /// Takes an event. If too much waits, the event is left out, and the call is shown as incomplete.
    func add(_ event: CallEvent) {
        let item = Event(event: event, time: .now, date: Date())
        let isFirst = state.withLock { state in
            let isIdle = state.events.isEmpty && state.incomplete.isEmpty
            if state.events.count < Self.maximumCount, state.size < Self.maximumSize {
                state.events.append(item)
                state.size += item.size
            } else {
                state.incomplete.insert(event.call.id)
            }
            return isIdle
        }
        if isFirst { queue.async { self.work() } }
        if case .sent(let info) = event { info.upgrade.map { watch($0, of: info.id, info.secretHeaders) } }
    }

    /// Takes the messages of a socket. Of those that wait, the newest are shown.
    private func watch(_ upgrade: ConnectionUpgrade, of id: Int, _ secretHeaders: Set<String>) {
        let waiting = Locked(SocketFrames())
        upgrade.watch { [weak self] message, isSent in
            let beginning = message.with(message.bytes.prefix(keeping: ExchangeRedactor.searchedMessage))
            let isFirst = waiting.withLock { waiting in
                waiting.append(.init(message: .init(beginning, isSent: isSent), size: message.size))
                return waiting.newest.count == 1
            }
            guard isFirst, let self else { return }
            queue.async {
                var frames = waiting.withLock { waiting in
                    defer { waiting = SocketFrames() }
                    return waiting
                }
                self.redactor.withLock { $0.redact(&frames, secretHeaders: secretHeaders) }
                self.feed.update(id) { $0?.adding(frames) }
            }
        }
    }

    private func work() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state
        }
        for item in waiting.events { show(item) }
        var lost = 0
        for id in waiting.incomplete {
            feed.update(id) { tracker in
                var tracker = tracker
                tracker?.loseTrack()
                if tracker == nil { lost += 1 }
                return tracker
            }
        }
        feed.lose(lost)
    }

    /// Events of a call that has been removed already change nothing.
    private func show(_ item: Event) {
        feed.update(item.event.call.id) { tracker in
            guard var tracker = tracker ?? CallTracker(item.event, at: item.time, date: item.date) else { return nil }
            redactor.withLock { tracker.take(item.event, at: item.time, without: &$0) }
            return tracker
        }
    }
}

extension EventQueue.Event {
    /// The bytes of the bodies that only this event holds.
    fileprivate var size: Int {
        if case .sent(let info) = event { return info.sent?.httpBody?.count ?? 0 }
        return event.timings?.response?.data.count ?? 0
    }
}
