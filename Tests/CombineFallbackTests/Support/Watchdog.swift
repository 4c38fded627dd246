import Dispatch
import Foundation
import Basics
import Testing

/// Runs `body` on a thread of its own and waits for it, at most `seconds`: what hangs becomes a failure.
func withWatchdog(
    _ seconds: Double = 120,
    _ comment: Comment = "hangs",
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () -> Void
) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        done.signal()
    }
    #expect(done.wait(timeout: .now() + seconds) == .success, comment, sourceLocation: sourceLocation)
}

/// Runs `body` on `count` threads at the same time and waits for all, at most two minutes.
func onThreads(
    _ count: Int,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Int) -> Void
) {
    let (start, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for number in 0..<count {
        Thread.detachNewThread {
            start.wait()
            body(number)
            done.signal()
        }
    }
    for _ in 0..<count { start.signal() }
    for _ in 0..<count {
        #expect(done.wait(timeout: .now() + 120) == .success, "hangs", sourceLocation: sourceLocation)
    }
}
