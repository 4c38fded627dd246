import Basics

/// The task locals of the code that has started a call, for its attempts: those may be made later, and on other threads.
///
/// Nothing copies task locals but a new task. So one is made that waits to run, and it runs on the thread of the attempt,
/// with the attempt in it. A task runs once: each makes the next.
///
/// Older systems have no executor that could keep a task waiting: later attempts see the task locals of their thread there.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class CallContext: Sendable {
    private let waiting = WaitingTask()

    /// Keeps the task locals of the code that runs now.
    init() {
        waiting.make()
    }

    deinit {
        // A task is freed when it has run.
        _ = waiting.run {}
    }

    /// Runs `body` at once, with those task locals.
    func run<Value>(_ body: () -> Value) -> Value {
        var value: Value?
        withoutActuallyEscaping(body) { body in
            // Two threads may share a publisher. Between the one's taking a task and its making the next are microseconds.
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

    /// Makes the task, with the task locals of the code that runs now.
    func make() {
        Task(executorPreference: self) { [state] in
            let work = state.withLock { state in
                defer { state.work = nil }
                return state.work
            }
            work?()
        }
    }

    /// Keeps the job of the task, for `run`. Called by the runtime as soon as the task can run.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.job = job }
    }

    /// Runs the task at once, with `work` in it; false if there is none.
    func run(_ work: @escaping () -> Void) -> Bool {
        let job = state.withLock { state -> UnownedJob? in
            guard let job = state.job else { return nil }
            state.job = nil
            state.work = work
            return job
        }
        guard let job else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }
}
