/// Runs steps one after another. A step that is added while another runs follows it, so that the stack does not grow.
package final class Trampoline: Sendable {
    private struct State {
        var isRunning = false
        var next: (() -> Void)?
    }

    private let state = Locked(State())

    package init() {}

    /// Runs a step, now or after the one that runs. One step at most may wait.
    package func run(_ step: @escaping () -> Void) {
        let isFree = state.withLockUnchecked { state in
            state.next = step
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFree else { return }
        while let step = takeNext() { step() }
    }

    private func takeNext() -> (() -> Void)? {
        state.withLockUnchecked { state in
            defer { state.next = nil }
            state.isRunning = state.next != nil
            return state.next
        }
    }
}
