import Foundation

/// What subscribers that block cost the others.
struct BlockingTable {
    private static let kinds: [(name: String, seconds: Double?)] = [
        ("nobody blocks", nil), ("\(Blocking.blockers) block for a second", 1),
    ]

    let options: Options

    func run() async throws {
        let server = try Nginx()
        defer { server.stop() }
        let url = server.plain.appendingPathComponent("users")
        let rounds: Rounds<Blocking.Finding> = try await Rounds(options.rounds, jobs: Self.kinds.count) { index in
            try Copy.run("block", Blocking(url: url, seconds: Self.kinds[index].seconds))
        }
        var table = MarkdownTable(["subscribers", "median, ms", "99th percentile, ms", "largest, ms", "threads"])
        for (index, kind) in Self.kinds.enumerated() {
            let cells = [
                rounds.sample(index) { $0.median * 1000 }.text(1),
                rounds.sample(index) { $0.ninetyNinth * 1000 }.text(1),
                rounds.sample(index) { $0.largest * 1000 }.text(1),
                rounds.sample(index) { Double($0.threads) }.text(0),
            ]
            table.add(kind.name, failures: rounds.sum(index, \.failures), cells)
        }
        show(
            """
            \(Blocking.count) requests through one `CurlSession` with its defaults, \(Blocking.concurrency) at a time: the \
            time from the subscription to the value for those that do not block, and the threads of `HTTPTransport` at \
            the peak. Those that block are one in \(Blocking.spacing) of the first \(Blocking.blockers * Blocking.spacing). \
            Rounds: \(options.rounds). Medians, quartiles in parentheses.

            \(table)
            """
        )
    }
}
