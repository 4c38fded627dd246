import Basics
import Dispatch
import Foundation
package import PortableCombine

/// One hop (one request on the wire; a redirect starts the next) by a session that is not an ``EngineSession``: a
/// subscription to its publisher.
///
/// The session applies the time limits and notifies the caller of the hop. Events are passed on where they are
/// published. They are demanded one at a time, and not while the hop is paused.
package final class PublishedTask: EngineTask {
    fileprivate struct State {
        /// Nil once the hop is over.
        var observer: (any EngineTaskObserver)?
        var subscription: (any Subscription)?
        var isPaused = false
        /// Whether an event has been demanded and has not arrived.
        var isDemanding = false
        var isCancelled = false
    }

    package let canPause = true
    package let isNetwork = false
    package let reportsConnection = false
    package let appliesTimeLimits = true
    private let session: any HTTPSession
    private let state = Locked(State())

    package init(of session: any HTTPSession) {
        self.session = session
    }

    /// Starts the hop; the session checks the request.
    package func begin(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        start(request, observer: observer)
    }

    package func start(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        let isWanted = state.withLock { state in
            if !state.isCancelled { state.observer = observer }
            return !state.isCancelled
        }
        guard isWanted else { return }
        var request = request
        request.context = self
        session.exchange(request).subscribe(self)
    }

    package func setPaused(_ paused: Bool) {
        let demands = state.withLock { state in
            state.isPaused = paused
            return state.subscription != nil && state.demandsNext()
        }
        guard demands else { return }
        // On a queue: all events may arrive within `request`, and pause the hop again before this call has returned.
        DispatchQueue(label: "HTTPTransport.published").async {
            self.state.withLock { $0.subscription }?.request(.max(1))
        }
    }

    package func cancel() { close().subscription?.cancel() }

    package func deliver(_ delivery: any DeliveryJob) { delivery.run() }

    private func close() -> State {
        state.withLock { state in
            defer { (state.observer, state.subscription, state.isCancelled) = (nil, nil, true) }
            return state
        }
    }
}

extension PublishedTask.State {
    /// Whether to demand an event now.
    fileprivate mutating func demandsNext() -> Bool {
        guard !isPaused, !isDemanding, observer != nil else { return false }
        isDemanding = true
        return true
    }
}

extension PublishedTask: Subscriber {
    package func receive(subscription: any Subscription) {
        let demands = state.withLockUnchecked { state -> Bool? in
            guard state.observer != nil, state.subscription == nil else { return nil }
            state.subscription = subscription
            return state.demandsNext()
        }
        guard let demands else { return subscription.cancel() }
        if demands { subscription.request(.max(1)) }
    }

    package func receive(_ event: ExchangeRequest.Event) -> Subscribers.Demand {
        switch (event, state.withLock { $0.observer }) {
        case (_, nil): return .none
        case (.sent(let bytes, let expected), let observer?): observer.sent(bytes, expected: expected)
        case (.head(let head), let observer?): observer.received(head)
        case (.body(let data), let observer?): observer.received(data)
        }
        return state.withLock { state in
            state.isDemanding = false
            return state.demandsNext() ? .max(1) : .none
        }
    }

    package func receive(completion: Subscribers.Completion<TransportError>) {
        let observer = close().observer
        switch completion {
        case .finished: observer?.ended(nil)
        case .failure(let error): observer?.ended(error)
        }
    }
}

extension PublishedTask: ExchangeContext {
    package var outer: (any ExchangeContext)? { state.withLock { $0.observer } }
}
