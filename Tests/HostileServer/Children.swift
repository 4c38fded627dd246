#if os(Linux)
import Basics
package import Foundation

/// Child processes that play behaviors, so that a crash or a hang is an outcome.
package struct Children: Sendable {
    /// The program `probe` of this package.
    package let program: URL

    /// The number of children at a time.
    let count: Int

    /// Uses the `probe` beside the running program.
    package init?(count: Int = 4) {
        guard let folder = Bundle.main.executableURL?.deletingLastPathComponent() else { return nil }
        program = folder.appendingPathComponent("probe")
        self.count = count
    }

    /// The outcome of each behavior on the engine, as ``Outcome/description``.
    package func outcomes(of behaviors: [Behavior], on engine: Engine) async throws -> [String: String] {
        let names = behaviors.map(\.name)
        let shares = (0..<count).map { share in names.indices.filter { $0 % count == share }.map { names[$0] } }
        return try await withThrowingTaskGroup(of: [String: String].self) { group in
            for share in shares { group.addTask { try await play(share, on: engine) } }
            return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
        }
    }

    /// Runs children one after another, until each behavior has an outcome.
    private func play(_ names: [String], on engine: Engine) async throws -> [String: String] {
        var outcomes: [String: String] = [:]
        var rest = names[...]
        while !rest.isEmpty {
            let (lines, ended, wasStopped) = try await run(["play", engine.rawValue] + rest)
            for line in lines {
                let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { outcomes[String(parts[0])] = String(parts[1]) }
            }
            rest = rest.drop { outcomes[$0] != nil }
            // A child ends itself after a hang, which is not the fault of the next behavior.
            guard !ended, let first = rest.popFirst() else { continue }
            outcomes[first] = "\(wasStopped ? Outcome.hang : .crash)"
        }
        return outcomes
    }

    package typealias End = (lines: [Substring], byItself: Bool, wasStopped: Bool)

    /// The output lines of a child, and how it ended. It is stopped when the task is canceled, as by the time limit of a
    /// test, and after five minutes.
    package func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> End {
        let stop = Stop()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "child").async {
                    continuation.resume(with: Result { try runAndWait(arguments, environment, stop) })
                }
            }
        } onCancel: {
            stop.now()
        }
    }

    private func runAndWait(_ arguments: [String], _ environment: [String: String], _ stop: Stop) throws -> End {
        // Some engines crash, and a crash report would take seconds.
        let settings = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own }
        let child = try ChildProcess(program, arguments, environment: settings)
        stop.applies(to: child)
        let limit = DispatchWorkItem { stop.now() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: limit)
        let (data, end) = try child.finish()
        limit.cancel()
        let text = String(decoding: data, as: UTF8.self)
        return (text.split(separator: "\n"), [.exit(0), .exit(1)].contains(end), stop.isDone)
    }

    /// Kills a child, also one that starts later.
    private final class Stop: Sendable {
        private let state = Locked((child: ChildProcess?.none, isDone: false))

        var isDone: Bool { state.withLock { $0.isDone } }

        func applies(to child: ChildProcess) {
            let isDone = state.withLock { state in
                state.child = child
                return state.isDone
            }
            if isDone { child.send(SIGKILL) }
        }

        func now() {
            let child = state.withLock { state in
                state.isDone = true
                return state.child
            }
            child?.send(SIGKILL)
        }
    }
}
#endif
