import Foundation
import HostileServer

/// Plays the whole table again and again on one session of `CurlSession`, many behaviours at a time, and prints what is
/// open and how much memory is taken; then what was concluded that should not have been.
enum HostileRounds {
    static func run(_ rounds: Int) async throws {
        let before = Resources.descriptors
        let server = try MisbehavingServer()
        let session = Engine.curl.makeSession(connectionsPerHost: 64)
        var wrong: [String: Int] = [:]
        for round in 1...rounds {
            for (name, outcome) in await Behaviour.outcomes(on: session, from: server, atOnce: 64) {
                wrong["\(name): \(outcome)", default: 0] += 1
            }
            guard round <= 3 || round == rounds || round.isMultiple(of: 50) else { continue }
            say("round \(round): \(Resources.descriptors) descriptors, \(Resources.residentKiB) KiB")
        }
        session.close()
        server.stop()
        // The session's thread ends when it has closed its connections.
        var after = Resources.descriptors
        for _ in 0..<500 where after > before {
            try await Task.sleep(for: .milliseconds(10))
            after = Resources.descriptors
        }
        say("end: \(after - before) descriptors more than before")
        for (line, count) in wrong.sorted(by: { $0.key < $1.key }) { say("wrong \(count) times: \(line)") }
    }
}
