import Basics
import Dispatch

/// The queue on which progress is published.
///
/// A program may block the main thread until it has its response. So the end of an exchange (a request and its
/// response) waits for the queue no longer than the timeout. After a timeout nothing waits for the queue until it has
/// run something again.
final class ProgressQueue: Sendable {
    static let main = ProgressQueue(.main)

    private let queue: DispatchQueue
    private let timeout: DispatchTimeInterval
    private let stuck = Locked(false)

    /// - Parameters:
    ///   - queue: A serial queue.
    ///   - timeout: How long the end of an exchange waits for it.
    init(_ queue: DispatchQueue, timeout: DispatchTimeInterval = .seconds(1)) {
        self.queue = queue
        self.timeout = timeout
    }

    /// True if a wait has timed out, and the queue has run nothing since.
    var isStuck: Bool { stuck.withLock { $0 } }

    /// Performs `work` on the queue.
    func run(_ work: @escaping @Sendable () -> Void) {
        queue.async {
            self.stuck.withLock { $0 = false }
            work()
        }
    }

    /// Calls `giveUp` after the timeout, and then the action that it returns.
    ///
    /// - Parameter giveUp: Returns the waiting action; `nil` if none waits any more.
    func afterTimeout(_ giveUp: @escaping @Sendable () -> (@Sendable () -> Void)?) {
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout) {
            guard let action = giveUp() else { return }
            // First, so that exchanges started by the action do not wait as well.
            self.stuck.withLock { $0 = true }
            action()
        }
    }
}
