/// What more threads bring to `CurlSession`.
struct ThreadsTable {
    private static let threads = [1, 2, 3, 4, 8]

    let options: Options

    func run() async throws {
        let server = try Nginx()
        defer { server.stop() }
        for concurrency in [8, 64, 256] {
            let scenario = Scenario("4 KB, HTTP/1.1, `events(for:)` by threads", .users, concurrency)
            let rounds = try await Rounds(options.rounds, jobs: Self.threads.count) { index in
                var job = try scenario.job(for: .events, on: server, options)
                job.threads = Self.threads[index]
                return try await server.measure(job)
            }
            var table = MarkdownTable([
                "threads", "requests/s", "÷ 1 thread", "CPU s per 10,000", "CPU ÷ 1 thread", "connections",
            ])
            for (index, threads) in Self.threads.enumerated() {
                let cells = [
                    rounds.sample(index, \.rate).text(0), rounds.ratio(index, to: 0, \.rate).text(2),
                    rounds.sample(index, \.cpuPerTenThousand).text(2),
                    rounds.ratio(index, to: 0, \.cpuPerTenThousand).text(2),
                    fixed(rounds.sample(index) { Double($0.connections) }.median, 0),
                ]
                table.add("\(threads)", failures: rounds.sum(index, \.failures), cells)
            }
            show("### \(scenario.name)\n\n\(table)")
        }
    }
}
