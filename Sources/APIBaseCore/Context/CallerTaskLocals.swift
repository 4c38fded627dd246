import Basics

/// The task locals of the code that has started a call, for its attempts, which may run later and on other threads.
package struct CallerTaskLocals: Sendable {
    private let snapshot: (any AnyObject & Sendable)?

    /// The kit's own task locals, which are kept on every system.
    package let locals = CallLocals.here

    /// Keeps the task locals of the running code.
    package init() { self.init(areRead: true) }

    /// Keeps the task locals of the running code; only the kit's own if nothing reads the others.
    init(areRead: Bool) {
        if areRead, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            snapshot = TaskLocalSnapshot()
        } else {
            snapshot = nil
        }
    }

    /// Runs `body` with the task locals; with only the kit's own on systems that cannot keep the others.
    package func run<Value>(_ body: () -> Value) -> Value {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            let snapshot = snapshot as? TaskLocalSnapshot
        else { return locals.run(body) }
        return snapshot.run(body)
    }
}

/// A snapshot of all task locals.
///
/// Only a new task copies task locals. So the snapshot is a task that waits to run, and `run` executes it on the
/// calling thread. A task runs once, so each run makes the next task. Older systems have no executor that can keep a
/// task waiting: there, later attempts see the task locals of their thread.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class TaskLocalSnapshot: Sendable {
    private let waiting = WaitingTask()

    init() { waiting.make() }

    deinit {
        // A task is freed only after it has run.
        _ = waiting.run {}
    }

    /// Runs `body` on this thread with the task locals.
    func run<Value>(_ body: () -> Value) -> Value {
        var value: Value?
        withoutActuallyEscaping(body) { body in
            // Another thread may have just taken the task, and makes the next within microseconds.
            while !waiting.run({
                self.waiting.make()
                value = body()
            }) { sched_yield() }
        }
        return value ?? body()
    }
}

/// A task that waits until it is told to run.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class WaitingTask: TaskExecutor {
    private struct State {
        var job: UnownedJob?
        var work: (() -> Void)?
    }

    private let state = Locked(State())

    /// Makes the task, which copies the task locals of the running code.
    func make() {
        Task(executorPreference: self) { [state] in
            let work = state.withLock { $0.work.take() }
            work?()
        }
    }

    /// Keeps the job of the task for ``run(_:)``. The runtime calls this as soon as the task can run.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.job = job }
    }

    /// Runs `work` in the task, on this thread; false if there is no task.
    func run(_ work: @escaping () -> Void) -> Bool {
        let job = state.withLockUnchecked { state -> UnownedJob? in
            guard let job = state.job.take() else { return nil }
            state.work = work
            return job
        }
        guard let job else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }
}
