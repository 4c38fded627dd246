import APIBaseCore
import HTTPTransport

extension Call {
    /// Ends a wait. The call runs from now on, although a thread may be free for `work` only later.
    func endWait(then work: @escaping @Sendable () -> Void) {
        wait { nil }
        WorkerPool.run(work)
    }
}
