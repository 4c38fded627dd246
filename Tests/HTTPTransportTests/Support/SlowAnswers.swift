import Basics
import LoopbackServer
import Dispatch

/// Answers each request after a while, and counts those that are being answered at the same time.
final class SlowAnswers: Sendable {
    private let time: DispatchTimeInterval
    private let running = Locked((now: 0, most: 0))

    init(after time: DispatchTimeInterval) { self.time = time }

    var mostAtOnce: Int { running.withLock { $0.most } }

    var handler: HTTPServer.Handler {
        { _ in
            self.running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + self.time)
            self.running.withLock { $0.now -= 1 }
            return .text("ok")
        }
    }
}
