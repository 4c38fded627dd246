import Basics
import Dispatch

/// The queue on which counts of bytes are published, and whether it is served at all.
///
/// A program may block the thread of its main queue until it has its reply, so nothing waits for the queue for longer
/// than its patience. Once that has been in vain, nothing waits until the queue has done something again.
final class ProgressQueue: Sendable {
    static let main = ProgressQueue(.main)

    private let queue: DispatchQueue
    private let patience: DispatchTimeInterval
    private let stuck = Locked(false)

    /// - Parameters:
    ///   - queue: A serial queue.
    ///   - patience: How long the end of an exchange waits for it.
    init(_ queue: DispatchQueue, patience: DispatchTimeInterval = .seconds(1)) {
        self.queue = queue
        self.patience = patience
    }

    /// Whether the queue has been waited for in vain, and has done nothing since.
    var isStuck: Bool { stuck.withLock { $0 } }

    /// Does `work` on the queue.
    func run(_ work: @escaping @Sendable () -> Void) {
        queue.async {
            self.stuck.withLock { $0 = false }
            work()
        }
    }

    /// Calls `giveUp` when the patience is over, and then what it returns.
    ///
    /// - Parameter giveUp: Returns what goes on now; `nil` if nothing has waited in vain.
    func whenPatienceEnds(_ giveUp: @escaping @Sendable () -> (@Sendable () -> Void)?) {
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
            guard let goOn = giveUp() else { return }
            // Before, so that what follows from it does not wait as well.
            self.stuck.withLock { $0 = true }
            goOn()
        }
    }
}
