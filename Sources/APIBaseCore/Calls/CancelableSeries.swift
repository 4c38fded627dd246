import Basics
import HTTPTransport

/// Calls one after another, or the body of a response, which ``APIBase/cancelAll()`` ends. It is among the running work
/// until it is released.
package final class CancelableSeries: CancelableWork, PullSeries {
    private struct State {
        var isCanceled = false
        /// The closures that end the parts that run, by their numbers.
        var ends: [Int: () -> Void] = [:]
        var last = 0
    }

    let type: any AnyObject.Type
    var scopeOwner: AnyObject? { scope?.standInOwner }
    private let scope: CallScope?
    private let state = Locked(State())
    /// The place among the running work. Unsafe: only `init` sets it, and only `deinit` reads it.
    private nonisolated(unsafe) var place: Int?

    package init(of api: APIBase, in scope: CallScope?) {
        type = Swift.type(of: api)
        self.scope = scope
        place = RunningCalls.shared.addWeakly(self)
    }

    deinit {
        if let place { RunningCalls.shared.remove(place) }
    }

    package var isCanceled: Bool { state.withLock { $0.isCanceled } }

    /// - Throws: `CancellationError` if the series has been canceled.
    package func check() throws {
        if isCanceled { throw CancellationError() }
    }

    package func begin(_ end: @escaping () -> Void) -> Int? {
        state.withLockUnchecked { state in
            guard !state.isCanceled else { return nil }
            state.last += 1
            state.ends[state.last] = end
            return state.last
        }
    }

    package func end(_ number: Int) {
        let end = state.withLockUnchecked { $0.ends.removeValue(forKey: number) }
        withExtendedLifetime(end) {}
    }

    func cancelWithAll() -> () -> Void {
        let ends = state.withLockUnchecked { state in
            defer { (state.isCanceled, state.ends) = (true, [:]) }
            return state.ends.sorted { $0.key < $1.key }.map(\.value)
        }
        return { for end in ends { end() } }
    }
}
