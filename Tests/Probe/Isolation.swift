#if os(Linux) && !canImport(Combine)
import APIBaseKit
import Basics
import Dispatch
import Glibc

/// Calls closures of the main actor, which operators were given, on another thread or, to compare, on the main one.
///
/// Prints a line for each: its name, and whether it `trapped`, was `called`, or was not (`missed`).
@MainActor enum Isolation {
    static func run(elsewhere: Bool) async {
        catchTraps()
        for check in IsolationCase.all {
            calls = 0
            let work = Locked(check.work)
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

    /// What a scheduler of the main thread calls is on the main actor.
    private static func receive<S: Scheduler>(on scheduler: S) async {
        await withCheckedContinuation { continuation in
            Just(1).subscribe(on: DispatchQueue(label: "elsewhere")).receive(on: scheduler)
                .sink { _ in continuation.resume(returning: touch(())) }
                .store(in: &running)
        }
        say("\(S.self): called")
    }

    private static var running: [AnyCancellable] = []

    /// How often the closures were called.
    private static var calls = 0

    /// What the closures do.
    static func touch<Value>(_ value: Value) -> Value {
        calls += 1
        return value
    }

    private nonisolated static let trapped: UInt8 = 1
    private nonisolated static let returned: UInt8 = 0

    private nonisolated static func catchTraps() {
        // Ready before a signal asks for it.
        _ = report
        for trap in [SIGILL, SIGTRAP] {
            signal(trap) { _ in
                Isolation.tell(Isolation.trapped)
                // The thread has no way on, and stays where it is.
                while true { pause() }
            }
        }
    }

    /// The ends of a pipe: of what there is to say things by, a signal's handler may use little else.
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
