import Basics
import HTTPTransport

/// Calls one after another, or the body of a response, which ``APIBase/cancelAll()`` ends, and the deadline of a scope.
/// It is among the running work until it is released.
package final class CancelableSeries: CancelableWork, PullSeries {
    private struct State {
        var cancellation: (any Error)?
        /// The wait for the deadline.
        var deadline: CallWait?
        /// The closures that end the parts that run, by their numbers.
        var ends: [Int: (any Error) -> Void] = [:]
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
        if let deadline = scope?.deadline { wait(for: deadline) }
    }

    deinit {
        if let place { RunningCalls.shared.remove(place) }
        state.withLock { $0.deadline }?.cancel()
    }

    package var cancellation: (any Error)? { state.withLock { $0.cancellation } }

    /// - Throws: The error of the series if it has been canceled.
    package func check() throws {
        if let cancellation { throw cancellation }
    }

    private func wait(for deadline: ScopeDeadline) {
        let wait = deadline.wait { [weak self] in self?.cancel(with: deadline.error)() }
        if let wait { state.withLock { $0.deadline = wait } } else { _ = cancel(with: deadline.error) }
    }

    package func begin(_ end: @escaping (any Error) -> Void) -> Int? {
        state.withLockUnchecked { state in
            guard state.cancellation == nil else { return nil }
            state.last += 1
            state.ends[state.last] = end
            return state.last
        }
    }

    package func end(_ number: Int) {
        let end = state.withLockUnchecked { $0.ends.removeValue(forKey: number) }
        withExtendedLifetime(end) {}
    }

    func cancelWithAll() -> () -> Void { cancel(with: CancellationError()) }

    /// Cancels the series, and returns what ends its parts.
    private func cancel(with error: any Error) -> () -> Void {
        let ends = state.withLockUnchecked { state in
            defer { (state.cancellation, state.ends) = (state.cancellation ?? error, [:]) }
            return state.ends.sorted { $0.key < $1.key }.map(\.value)
        }
        return { for end in ends { end(error) } }
    }
}
