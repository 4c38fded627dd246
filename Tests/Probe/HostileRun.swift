import Foundation
import HostileServer

/// Plays behaviors one after another on an engine, and prints a line for each: its name, a tab, and how it ended.
///
/// Whoever started the process takes a missing line for a crash.
enum HostileRun {
    static func run(_ engine: Engine, _ names: some Sequence<String>) async throws {
        let server = try MisbehavingServer()
        for name in names {
            guard let behavior = Behavior.all.first(where: { $0.name == name }) else { continue }
            let outcome = await behavior.outcome(on: engine.makeSession(), from: server)
            say("\(name)\t\(outcome)")
            // What hangs, or harms others, may have stopped the whole engine.
            if outcome.isContagious { exit(1) }
        }
        exit(0)
    }
}
