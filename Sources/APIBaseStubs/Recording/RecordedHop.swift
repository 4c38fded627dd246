import Basics
import Dispatch
import Foundation
import HTTPTransport

/// One hop on its way into recordings: what happens is noted, and passed on.
final class RecordedHop: EngineTaskObserver {
    private struct State {
        var builders: [RecordedEntryBuilder]
        /// Nil once the hop is over.
        var observer: (any EngineTaskObserver)?
    }

    private let state: Locked<State>
    private let isOverNetwork: Bool

    init(_ builders: [RecordedEntryBuilder], observer: any EngineTaskObserver, isOverNetwork: Bool) {
        self.isOverNetwork = isOverNetwork
        state = Locked(State(builders: builders, observer: observer))
    }

    private var observer: (any EngineTaskObserver)? { state.withLock { $0.observer } }
    var outer: (any ExchangeContext)? { observer }

    func began() { observer?.began() }
    func connected() { observer?.connected() }
    func sent(_ bytes: Int64, expected: Int64?) { observer?.sent(bytes, expected: expected) }
    func measured(_ times: EngineTimes) { observer?.measured(times) }

    func received(_ head: ResponseHead) {
        note(.head(head))
        observer?.received(head)
    }

    func received(_ data: Data) {
        note(.body(data))
        observer?.received(data)
    }

    func finished(_ failure: EngineFailure?) { end(isWhole: failure == nil) { $0.finished(failure) } }

    func ended(_ error: TransportError?) { end(isWhole: error == nil) { $0.ended(error) } }

    /// The hop has been cancelled.
    func cancel() {
        let last = close()
        guard last.observer != nil else { return }
        for builder in last.builders { builder.keep(isWhole: false) }
    }

    /// Keeps a whole reply, before its end is delivered, so that whoever waits for that finds it in the recording. That may take a
    /// while, for which the thread of a network has no time.
    private func end(isWhole: Bool, _ tell: @escaping @Sendable (any EngineTaskObserver) -> Void) {
        let last = close()
        guard let observer = last.observer else { return }
        guard isWhole else { return tell(observer) }
        let keep: @Sendable () -> Void = {
            for builder in last.builders { builder.keep(isWhole: true) }
            tell(observer)
        }
        if isOverNetwork { DispatchQueue(label: "APIBaseStubs.recording").async(execute: keep) } else { keep() }
    }

    private func note(_ event: ExchangeEvent) {
        state.withLock { state in
            for index in state.builders.indices { state.builders[index].note(event) }
        }
    }

    private func close() -> State {
        state.withLock { state in
            defer { state = State(builders: []) }
            return state
        }
    }
}
