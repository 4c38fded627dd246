#if os(Linux) && !canImport(Combine)
import APIBaseKit
import Basics
import Dispatch
import Glibc

/// Calls main-actor closures of operators on another thread or, for comparison, on the main thread.
///
/// Prints a line for each: its name, and `trapped`, `called`, or `missed`.
@MainActor enum Isolation {
    static func run(elsewhere: Bool) async {
        catchTraps()
        for check in IsolationCase.all {
            calls = 0
            let work = Locked(uncheckedState: check.work)
            if elsewhere {
                DispatchQueue(label: check.name).async {
                    work.withLock { $0 }()
                    tell(returned)
                }
            } else {
                check.work()
                tell(returned)
            }
            say("\(check.name): \(heard() == trapped ? "trapped" : calls > 0 ? "called" : "missed")")
        }
        if elsewhere { return }
        await receive(on: DispatchQueue.main)
        await receive(on: RunLoop.main)
        await receive(on: OperationQueue.main)
    }

    /// Code that a scheduler of the main thread calls is on the main actor.
    private static func receive<S: Scheduler>(on scheduler: S) async {
        await withCheckedContinuation { continuation in
            Just(1).subscribe(on: DispatchQueue(label: "elsewhere")).receive(on: scheduler)
                .sink { _ in continuation.resume(returning: touch(())) }
                .store(in: &running)
        }
        say("\(S.self): called")
    }

    private static var running: [AnyCancellable] = []

    /// The number of calls of the closures.
    private static var calls = 0

    /// The work of the closures.
    static func touch<Value>(_ value: Value) -> Value {
        calls += 1
        return value
    }

    private nonisolated static let trapped: UInt8 = 1
    private nonisolated static let returned: UInt8 = 0

    private nonisolated static func catchTraps() {
        // Initialized before a signal handler uses it.
        _ = report
        for trap in [SIGILL, SIGTRAP] {
            signal(trap) { _ in
                Isolation.tell(Isolation.trapped)
                // The thread cannot continue, so it waits here.
                while true { pause() }
            }
        }
    }

    /// The ends of a pipe, one of the few things that a signal handler may use.
    private nonisolated static let report: [Int32] = {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        return ends
    }()

    private nonisolated static func tell(_ end: UInt8) {
        var end = end
        write(report[1], &end, 1)
    }

    private static func heard() -> UInt8 {
        var end = returned
        while read(report[0], &end, 1) < 0, errno == EINTR {}
        return end
    }
}
#endif
