import Basics
import Dispatch
import Foundation
package import PortableCombine

/// One hop by a session that is no engine of ours: a subscription to what it publishes.
///
/// The session applies the limits on time and tells the caller of the hop; what it publishes is handed on where it is published.
/// It is asked for one event at a time, and for none while the hop is paused.
package final class PublishedTask: EngineTask {
    fileprivate struct State {
        /// Nil once the hop is over.
        var observer: (any EngineTaskObserver)?
        var subscription: (any Subscription)?
        var isPaused = false
        /// Whether an event has been asked for that has not come.
        var isAsking = false
        var isCancelled = false
    }

    package let canPause = true
    package let isNetwork = false
    package let seesConnection = false
    package let keepsTime = true
    private let session: any HTTPSession
    private let state = Locked(State())

    package init(of session: any HTTPSession) {
        self.session = session
    }

    /// The session looks at the request.
    package func begin(_ request: ExchangeRequest, telling observer: any EngineTaskObserver) {
        start(request, telling: observer)
    }

    package func start(_ request: ExchangeRequest, telling observer: any EngineTaskObserver) {
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
        let asks = state.withLock { state in
            state.isPaused = paused
            return state.subscription != nil && state.ask()
        }
        guard asks else { return }
        // Not here: whatever pauses the hop again would find this still at work, where all comes at once.
        DispatchQueue(label: "HTTPTransport.published").async {
            self.state.withLock { $0.subscription }?.request(.max(1))
        }
    }

    package func cancel() { close().subscription?.cancel() }

    package func deliver(_ delivery: any Delivery) { delivery.run() }

    private func close() -> State {
        state.withLock { state in
            defer { (state.observer, state.subscription, state.isCancelled) = (nil, nil, true) }
            return state
        }
    }
}

extension PublishedTask.State {
    /// Whether to ask for an event, which has not been done.
    fileprivate mutating func ask() -> Bool {
        guard !isPaused, !isAsking, observer != nil else { return false }
        isAsking = true
        return true
    }
}

extension PublishedTask: Subscriber {
    package func receive(subscription: any Subscription) {
        let asks = state.withLock { state -> Bool? in
            guard state.observer != nil, state.subscription == nil else { return nil }
            state.subscription = subscription
            return state.ask()
        }
        guard let asks else { return subscription.cancel() }
        if asks { subscription.request(.max(1)) }
    }

    package func receive(_ event: ExchangeEvent) -> Subscribers.Demand {
        switch (event, state.withLock { $0.observer }) {
        case (_, nil): return .none
        case (.sent(let bytes, let expected), let observer?): observer.sent(bytes, expected: expected)
        case (.head(let head), let observer?): observer.received(head)
        case (.body(let data), let observer?): observer.received(data)
        }
        return state.withLock { state in
            state.isAsking = false
            return state.ask() ? .max(1) : .none
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
