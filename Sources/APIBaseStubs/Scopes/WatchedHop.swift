import Basics
import Dispatch
import Foundation
package import HTTPTransport

/// Watches a hop, as a recording does.
package protocol HopWatcher: Sendable {
    mutating func received(_ head: ResponseHead)

    mutating func received(_ data: Data)

    /// The response is whole, or the hop has been canceled. Not called for a hop that fails. May block.
    func finish(isWhole: Bool)
}

/// Passes the events of a hop on to its observer, and tells them to watchers.
final class WatchedHop: EngineTaskObserver {
    private struct State {
        var watchers: [any HopWatcher]
        var observer: (any EngineTaskObserver)?
    }

    private let state: Locked<State>
    private let isOverNetwork: Bool

    init(_ watchers: [any HopWatcher], observer: any EngineTaskObserver, isOverNetwork: Bool) {
        self.isOverNetwork = isOverNetwork
        state = Locked(State(watchers: watchers, observer: observer))
    }

    private var observer: (any EngineTaskObserver)? { state.withLock { $0.observer } }
    var outer: (any ExchangeContext)? { observer }

    func began() { observer?.began() }

    func waits() { observer?.waits() }
    func connected() { observer?.connected() }
    func sent(_ bytes: Int64, expected: Int64?) { observer?.sent(bytes, expected: expected) }

    func received(_ head: ResponseHead) {
        state.withLock { for index in $0.watchers.indices { $0.watchers[index].received(head) } }
        observer?.received(head)
    }

    func received(_ data: Data) {
        state.withLock { for index in $0.watchers.indices { $0.watchers[index].received(data) } }
        observer?.received(data)
    }

    func finished(_ failure: EngineFailure?, times: EngineTimes?) {
        end(isWhole: failure == nil) { $0.finished(failure, times: times) }
    }

    func ended(_ error: TransportError?) { end(isWhole: error == nil) { $0.ended(error) } }

    func cancel() {
        let last = close()
        guard last.observer != nil else { return }
        for watcher in last.watchers { watcher.finish(isWhole: false) }
    }

    /// Tells the watchers about a whole response before its end is delivered, so that a caller finds it in its
    /// recording. That may take too long for a thread of the network.
    private func end(isWhole: Bool, _ tell: @escaping @Sendable (any EngineTaskObserver) -> Void) {
        let last = close()
        guard let observer = last.observer else { return }
        guard isWhole else { return tell(observer) }
        let finish: @Sendable () -> Void = {
            for watcher in last.watchers { watcher.finish(isWhole: true) }
            tell(observer)
        }
        if isOverNetwork { DispatchQueue(label: "APIBaseStubs.watchers").async(execute: finish) } else { finish() }
    }

    private func close() -> State {
        state.withLock { state in
            defer { state = State(watchers: []) }
            return state
        }
    }
}
