import Basics
import LoopbackServer
import Dispatch

/// Counts the requests that are being answered at the same time, in all and at each of several servers. The first ones
/// are answered when there are so many, so a client that allows fewer gets no answer.
final class Crowd: Sendable {
    private struct State {
        var arrived = 0
        var running: [Int: Int] = [:]
        var most: [Int: Int] = [:]
        var mostInAll = 0
    }

    private let size: Int
    private let state = Locked(State())
    private let isThere = DispatchSemaphore(value: 0)

    init(of size: Int) { self.size = size }

    var mostAtOnce: Int { state.withLock { $0.mostInAll } }

    func mostAtOnce(at place: Int) -> Int { state.withLock { $0.most[place] ?? 0 } }

    func handler(at place: Int) -> HTTPServer.Handler {
        { [self] _ in
            let number = state.withLock { state in
                state.arrived += 1
                state.running[place, default: 0] += 1
                state.most[place] = max(state.most[place] ?? 0, state.running[place] ?? 0)
                state.mostInAll = max(state.mostInAll, state.running.values.reduce(0, +))
                return state.arrived
            }
            if number == size { for _ in 1..<size { isThere.signal() } }
            if number < size { _ = isThere.wait(timeout: .now() + 120) }
            // Time for more than are allowed to show.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
            state.withLock { $0.running[place, default: 0] -= 1 }
            return .text("ok")
        }
    }
}
