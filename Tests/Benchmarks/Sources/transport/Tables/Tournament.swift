import Foundation
import HTTPTransport

/// All contenders in all scenarios.
struct Tournament {
    let options: Options

    func run() async throws {
        let server = try Nginx()
        defer { server.stop() }
        show(preamble)
        for scenario in Scenario.all where options.includes(scenario.name) {
            let contenders = scenario.contenders.filter(options.includes)
            guard !contenders.isEmpty else { continue }
            let rounds = try await Rounds(options.rounds, jobs: contenders.count) { index in
                try await server.measure(scenario.job(for: contenders[index], on: server, options))
            }
            show(SpeedTable(scenario, contenders, rounds))
        }
    }

    private var preamble: String {
        let settings =
            options.connections.map { "\($0) connections per host" }
            ?? "its library's defaults (and 8 connections for the program in C, whose library has no limit)"
        return """
            Every client with \(settings), on \(ProcessInfo.processInfo.activeProcessorCount) cores that it shares with \
            nginx, with \(CurlSession.libraryVersion.prefix { $0 != " " }). Rounds: \(options.rounds). Medians, quartiles \
            in parentheses; a client and AsyncHTTPClient's `async` (AHC) are compared round by round.

            """
    }
}

extension Nginx {
    /// Has a copy of this process do the job, and counts the connections.
    func measure(_ job: Job) async throws -> Measurement {
        let before = try await accepted()
        var measurement: Measurement = try Copy.run("job", job)
        // The question before is one of those counted there, the question after is another.
        measurement.connections = try await accepted() - before - 1
        return measurement
    }
}
