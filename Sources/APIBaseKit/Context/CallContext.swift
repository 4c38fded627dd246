import Basics

/// The task locals of the code that has started a call, for its attempts: those may be made later, and on other threads.
///
/// Nothing copies task locals but a new task. So one is made that waits, and it runs on the thread of an attempt, with the attempt
/// in it, as often as there is one.
///
/// Older systems have no executor that could keep a task waiting: later attempts see the task locals of their thread there.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class CallContext: Sendable {
    private let task = WaitingTask()

    /// Keeps the task locals of the code that runs now.
    init() { task.start() }

    // A task is freed when it has ended.
    deinit { task.run(nil) }

    /// Runs `body` at once, with those task locals.
    func run<Value>(_ body: () -> Value) -> Value {
        var value: Value?
        withoutActuallyEscaping(body) { body in task.run { value = body() } }
        return value ?? body()
    }
}

/// A task that waits until it is told to run, and then waits again.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class WaitingTask: TaskExecutor {
    fileprivate typealias Work = () -> Void

    fileprivate struct State {
        /// The task, when it is able to run.
        var job: UnownedJob?
        /// What resumes it while it waits; `nil` before its first run.
        var continuation: UnsafeContinuation<Void, Never>?
        /// What it is to do; `nil` to end.
        var work: Work?
        /// The thread that runs it.
        var thread: pthread_t?
    }

    fileprivate enum Turn { case begins, isInside, isBusy }

    private let state = Locked(State())

    /// Makes the task, with the task locals of the code that runs now.
    func start() {
        Task(executorPreference: self) { [state] in
            while Self.work(state) {
                await withUnsafeContinuation { continuation in state.withLock { $0.continuation = continuation } }
            }
        }
    }

    /// Does what there is to do; false if the task is to end. A function of its own, since the task must not keep the work.
    private static func work(_ state: Locked<State>) -> Bool {
        guard let work = state.withLock({ $0.work.take() }) else { return false }
        work()
        return true
    }

    /// Keeps the job of the task, for `run`. Called by the runtime as soon as the task can run.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.job = job }
    }

    /// Runs the task at once, with `work` in it; ends it if there is none.
    func run(_ work: (() -> Void)?) {
        while true {
            switch state.withLock({ $0.begin(work, on: pthread_self()) }) {
            case .begins: return resume()
            case .isInside:
                work?()
                return
            // Two threads may share a publisher. One waits while the other builds its request.
            case .isBusy: sched_yield()
            }
        }
    }

    private func resume() {
        // Makes a job of the task, unless it is one because it has never run.
        state.withLock { $0.continuation.take() }?.resume()
        state.withLock { $0.job.take() }?.runSynchronously(on: asUnownedTaskExecutor())
        state.withLock { $0.thread = nil }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension WaitingTask.State {
    /// Gives the task to a thread that wants to run it.
    fileprivate mutating func begin(_ work: WaitingTask.Work?, on thread: pthread_t) -> WaitingTask.Turn {
        if let running = self.thread { return pthread_equal(running, thread) != 0 ? .isInside : .isBusy }
        (self.thread, self.work) = (thread, work)
        return .begins
    }
}
