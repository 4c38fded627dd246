import Foundation
import HostileServer

/// Plays the whole table repeatedly on one `CurlSession`, many behaviors at a time, and prints the open descriptors,
/// the memory, and the wrong outcomes.
///
/// A first round on another session is not counted, because of what the process allocates only once.
enum HostileRounds {
    static func run(_ rounds: Int) async throws {
        _ = try await play(1)
        let before = try await settledDescriptors()
        let wrong = try await play(rounds) { round in
            guard round <= 3 || round == rounds || round.isMultiple(of: 50) else { return }
            Resources.trim()
            say(
                "round \(round): \(Resources.descriptors.count) descriptors, \(Resources.residentKiB) KiB resident, "
                    + "\(Resources.allocatedKiB) KiB allocated"
            )
        }
        let after = try await settledDescriptors()
        say("end: \(max(0, after.count - before.count)) descriptors more than before")
        for descriptor in Set(after).subtracting(before).sorted() { say("new: \(descriptor)") }
        for (line, count) in wrong.sorted(by: { $0.key < $1.key }) { say("wrong \(count) times: \(line)") }
    }

    /// The open descriptors, after nothing was closed for some seconds: a session closes its connections on a thread,
    /// and the servers notice that later. Dispatch's timers, one for each clock, are not counted.
    private static func settledDescriptors() async throws -> [String] {
        var fewest = Resources.descriptors
        var looks = 0
        while looks < 5 {
            try await Task.sleep(for: .seconds(1))
            let now = Resources.descriptors
            looks = now.count < fewest.count ? 0 : looks + 1
            if looks == 0 { fewest = now }
        }
        return fewest.filter { $0 != "anon_inode:[timerfd]" }
    }

    private static func play(_ rounds: Int, then report: (Int) -> Void = { _ in }) async throws -> [String: Int] {
        let servers = try BehaviorServers()
        let session = Engine.curl.makeSession(connectionsPerHost: 8)
        var wrong: [String: Int] = [:]
        for round in 1...rounds {
            for (name, outcome) in await servers.wrongOutcomes(on: session, atOnce: 128) {
                wrong["\(name): \(outcome)", default: 0] += 1
            }
            report(round)
        }
        session.close()
        servers.stop()
        return wrong
    }
}

/// Plays behaviors one after another on an engine, and prints a line for each: its name, a tab, and the outcome.
///
/// A missing line means a crash.
enum HostileRun {
    static func run(_ engine: Engine, _ names: some Sequence<String>) async throws {
        let server = try MisbehavingServer()
        for name in names {
            guard let behavior = Behavior.all.first(where: { $0.name == name }) else { continue }
            let outcome = await behavior.outcome(on: engine.makeSession(), from: server)
            say("\(name)\t\(outcome)")
            // After a hang, the whole engine may have stopped.
            if outcome.isContagious { exit(1) }
        }
        exit(0)
    }
}
