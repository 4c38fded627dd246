import Foundation

/// All contenders in all scenarios, in turns, so that whatever slows the machine slows all.
struct Tournament {
    let options: Options

    func run() async throws {
        let server = try Nginx()
        defer { server.stop() }
        for scenario in Scenario.all where options.includes(scenario.name) {
            let contenders = scenario.contenders.filter(options.includes)
            var rounds: [[Contender: Measurement]] = []
            for round in 0..<options.rounds {
                var results: [Contender: Measurement] = [:]
                // Who comes first differs from round to round.
                for index in contenders.indices {
                    let contender = contenders[(index + round) % contenders.count]
                    results[contender] = try await measure(contender, scenario, on: server)
                }
                rounds.append(results)
            }
            print(Table(scenario, contenders, rounds, options))
        }
    }

    private func measure(_ contender: Contender, _ scenario: Scenario, on server: Nginx) async throws -> Measurement {
        let base = scenario.isHTTP2 ? server.secure : server.plain
        let name = scenario.body.rawValue
        let file = server.folder.appendingPathComponent("files/" + name)
        let lanes = scenario.concurrency
        let job = Job(
            contender: contender,
            url: base.appendingPathComponent(name),
            length: try Data(contentsOf: file).count,
            authorities: scenario.isHTTP2 ? server.authorities : nil,
            isHTTP2: scenario.isHTTP2,
            concurrency: lanes,
            connections: options.connections ?? lanes,
            warmUp: lanes * max(2, 100 / lanes),
            count: scenario.count(for: contender) * options.scale
        )
        let before = try await server.accepted()
        var measurement: Measurement = try Copy.run("job", job)
        // The question before is one of those counted there, the question after is another.
        measurement.connections = try await server.accepted() - before - 1
        return measurement
    }
}
