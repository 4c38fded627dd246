#if os(Linux)
package import Foundation

/// Processes that play behaviors, so that a crash or a hang is an outcome like any other.
package struct Children: Sendable {
    /// The program `probe` of this package.
    package let program: URL

    /// How many run at a time.
    let count: Int

    /// Children of the `probe` that lies beside the program that is running.
    package init?(count: Int = 4) {
        guard let folder = Bundle.main.executableURL?.deletingLastPathComponent() else { return nil }
        program = folder.appendingPathComponent("probe")
        self.count = count
    }

    /// How each behavior ended on the engine, in the words of ``Outcome/description``.
    package func outcomes(of behaviors: [Behavior], on engine: Engine) async throws -> [String: String] {
        let names = behaviors.map(\.name)
        let shares = (0..<count).map { share in names.indices.filter { $0 % count == share }.map { names[$0] } }
        return try await withThrowingTaskGroup(of: [String: String].self) { group in
            for share in shares { group.addTask { try await play(share, on: engine) } }
            return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
        }
    }

    /// One child after another, until each behavior has its outcome.
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
            // A child that has said why ends itself: the next behavior is not to blame.
            guard !ended, let first = rest.popFirst() else { continue }
            outcomes[first] = "\(wasStopped ? Outcome.hang : .crash)"
        }
        return outcomes
    }

    package typealias End = (lines: [Substring], byItself: Bool, wasStopped: Bool)

    /// The lines a child prints, waited for on a thread of its own, and how it ended.
    package func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> End {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "child").async {
                continuation.resume(with: Result { try runAndWait(arguments, environment) })
            }
        }
    }

    private func runAndWait(_ arguments: [String], _ environment: [String: String]) throws -> End {
        // Some engines end their process, and a report of each would take seconds.
        let settings = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in own }
        let child = try ChildProcess(program, arguments, environment: settings)
        let limit = ContinuousClock.now + .seconds(90)
        let stop = DispatchWorkItem { child.send(SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 90, execute: stop)
        let (data, end) = try child.finish()
        stop.cancel()
        let text = String(decoding: data, as: UTF8.self)
        return (text.split(separator: "\n"), [.exit(0), .exit(1)].contains(end), ContinuousClock.now >= limit)
    }
}
#endif
