#if !os(Linux) && !os(Android)
import Dispatch

extension WorkerPool {
    static let shared = Workers()

    /// The system's own pool: no more threads than processors while they compute, and up to 64 while they are blocked.
    struct Workers: Sendable {
        func add(_ work: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: work) }
    }
}
#endif
