#if os(Linux) || os(Android)
/// Runs tasks on the threads of the event loops, in between their work with libcurl.
///
/// A task that a response resumes runs at the loop that has delivered it. A task that blocks or computes is replaced at its
/// loop as a delivery is, see ``LeaderFollowers``.
extension EventLoopGroup: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        run(JobDelivery(UnownedJob(job), on: self))
    }
}

/// A part of a task, up to its next suspension.
private final class JobDelivery: DeliveryJob {
    private let job: UnownedJob
    private let executor: EventLoopGroup

    init(_ job: UnownedJob, on executor: EventLoopGroup) {
        self.job = job
        self.executor = executor
    }

    func run() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
}
#endif
