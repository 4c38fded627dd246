import APIBaseKit
import Basics
import Dispatch
import Foundation

/// Takes the events of calls, and works on them on a queue of its own, so that the calls do not wait.
final class EventQueue: Sendable {
    fileprivate struct Event {
        enum Content {
            case event(CallEvent)
            case frame(SocketFrames.Frame, secretHeaders: Set<String>)
        }

        let call: Int
        let content: Content
        let time = ContinuousClock.now
        let date = Date()
    }

    private struct State {
        var events: [Event] = []
        /// The calls of events that were left out.
        var incomplete: Set<Int> = []
        /// The numbers of messages that were left out, by their calls.
        var dropped: [Int: Int] = [:]
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

    /// Takes an event, and then the messages of its socket. If too much waits, the event is left out, and the call is
    /// shown as incomplete.
    func add(_ event: CallEvent) {
        add(Event(call: event.call.id, content: .event(event)))
        guard case .sent(let info) = event, let upgrade = info.upgrade else { return }
        let (id, secretHeaders) = (info.id, info.secretHeaders)
        upgrade.watch { [weak self] message, isSent in
            let frame = SocketFrames.Frame(message, isSent: isSent, keeping: ExchangeRedactor.searchedFrame)
            self?.add(Event(call: id, content: .frame(frame, secretHeaders: secretHeaders)))
        }
    }

    /// Messages leave room for the events of other calls.
    private func add(_ item: Event) {
        let share = item.isFrame ? 10 : 1
        let isFirst = state.withLock { state in
            let isIdle = state.events.isEmpty && state.incomplete.isEmpty
            if state.events.count < Self.maximumCount / share, state.size < Self.maximumSize / share {
                state.events.append(item)
                state.size += item.size
            } else if item.isFrame {
                state.dropped[item.call, default: 0] += 1
            } else {
                state.incomplete.insert(item.call)
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
        for item in waiting.events { show(item) }
        for (id, count) in waiting.dropped { feed.update(id) { $0?.with { $0.drop(count) } } }
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
        feed.update(item.call) { tracker in
            switch item.content {
            case .event(let event):
                guard var tracker = tracker ?? CallTracker(event, at: item.time, date: item.date) else { return nil }
                redactor.withLock { tracker.take(event, at: item.time, without: &$0) }
                return tracker
            case .frame(let frame, let secretHeaders):
                return tracker?.with { frames in
                    redactor.withLock { frames.append($0.frame(frame, secretHeaders: secretHeaders)) }
                }
            }
        }
    }
}

extension EventQueue.Event {
    fileprivate var isFrame: Bool { if case .frame = content { true } else { false } }

    /// The bytes of the bodies that only this event holds.
    fileprivate var size: Int {
        switch content {
        case .event(.sent(let info)): info.sent?.httpBody?.count ?? 0
        case .event(let event): event.timings?.response?.data.count ?? 0
        case .frame(let frame, _): min(frame.size, ExchangeRedactor.searchedFrame)
        }
    }
}
