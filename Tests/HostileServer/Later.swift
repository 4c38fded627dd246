import Dispatch
import Basics

/// A value that is set once. Waiting has a limit, so that a hang becomes a failure.
package final class Later<Value: Sendable>: Sendable {
    package struct TooLate: Error {}

    private struct State {
        var value: Value?
        var last = 0
        var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
    }

    private let state = Locked(State())

    package init() {}

    /// Only the first value counts.
    package func set(_ value: Value) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    package var isSet: Bool { state.withLock { $0.value != nil } }

    package func value(within seconds: Int = 120) async throws -> Value {
        let value = await withCheckedContinuation { continuation in
            let (known, number) = state.withLock { state -> (Value?, Int) in
                if let value = state.value { return (value, 0) }
                state.last += 1
                state.waiting[state.last] = continuation
                return (nil, state.last)
            }
            if let known { return continuation.resume(returning: known) }
            DispatchQueue(label: "Later").asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
                self?.giveUp(number)
            }
        }
        guard let value else { throw TooLate() }
        return value
    }

    private func giveUp(_ number: Int) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
    }
}

extension Later<Void> {
    package func set() { set(()) }
}

/// Polls until `condition` holds or the time is over, for counts without events.
package func holds(within limit: Duration = .seconds(120), _ condition: @Sendable () -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try await Task.sleep(for: .milliseconds(2))
    }
    return true
}
