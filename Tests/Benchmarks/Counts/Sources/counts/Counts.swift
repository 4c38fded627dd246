import APIBaseKit
import CCounts

/// Prints what a call of each kind allocates, and how often it takes a lock, all of the process counted.
///
/// `counts check FILE` fails if a figure differs from that of the file by more than 5 %; `counts record FILE` writes it.
@main
struct Counts {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        if words.first == "serve" { exit(counts_serve()) }
        guard counts_are_known() else { return print("This system cannot count.") }
        let server = Process()
        let (input, output) = (Pipe(), Pipe())
        (server.standardInput, server.standardOutput) = (input, output)
        server.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        server.arguments = ["serve"]
        try server.run()
        defer { server.terminate() }
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).dropLast()
        CountedAPI.server = URL(string: "http://127.0.0.1:\(port)")

        var figures: [String: Figures] = [:]
        print("| call | allocations | of libcurl | KB | of libcurl | locks |\n|---|---|---|---|---|---|")
        for kind in kinds {
            let found = try await figuresOfCall(kind.call)
            figures[kind.name] = found
            print("| \(kind.name) | \(found.row) |")
        }
        guard let file = words.dropFirst().first.map({ URL(fileURLWithPath: $0) }) else { return }
        if words.first == "record" { return try record(figures, in: file) }
        let known = try JSONDecoder().decode([String: Figures].self, from: Data(contentsOf: file))
        let problems = kinds.flatMap { kind in
            figures[kind.name]?.differences(from: known[kind.name]).map { "\(kind.name): \($0)" } ?? []
        }
        for problem in problems { print(problem) }
        exit(problems.isEmpty ? 0 : 1)
    }

    private static func record(_ figures: [String: Figures], in file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try encoder.encode(figures).write(to: file)
    }

    /// The fewest of some rounds: what a timer does meanwhile adds to others.
    private static func figuresOfCall(_ call: @Sendable () async throws -> Void) async throws -> Figures {
        let calls = 200
        var best: Figures?
        for round in 0..<6 {
            counts_start()
            for _ in 0..<calls { try await call() }
            let found = Figures(counts_stop(), calls: calls)
            if round > 0 { best = best.map { $0.least(found) } ?? found }
        }
        return best ?? Figures(counts(), calls: 1)
    }
}

/// The counts of one call.
struct Figures: Codable {
    var allocations, libcurlAllocations, kilobytes, libcurlKilobytes, locks: Double

    init(_ counts: counts, calls: Int) {
        func each(_ count: Int, _ unit: Double = 1) -> Double {
            (Double(count) / unit / Double(calls) * 10).rounded() / 10
        }
        allocations = each(counts.allocations)
        libcurlAllocations = each(counts.libcurl_allocations)
        kilobytes = each(counts.bytes, 1_000)
        libcurlKilobytes = each(counts.libcurl_bytes, 1_000)
        locks = each(counts.locks)
    }

    func least(_ other: Figures) -> Figures {
        var least = self
        least.allocations = min(allocations, other.allocations)
        least.libcurlAllocations = min(libcurlAllocations, other.libcurlAllocations)
        least.kilobytes = min(kilobytes, other.kilobytes)
        least.libcurlKilobytes = min(libcurlKilobytes, other.libcurlKilobytes)
        least.locks = min(locks, other.locks)
        return least
    }

    var row: String {
        [allocations, libcurlAllocations, kilobytes, libcurlKilobytes, locks].map { "\($0)" }.joined(separator: " | ")
    }

    /// What differs by more than 5 %. What libcurl allocates is its own affair.
    func differences(from known: Figures?) -> [String] {
        guard let known else { return ["not in the file"] }
        let pairs = [
            ("allocations", allocations, known.allocations), ("kilobytes", kilobytes, known.kilobytes),
            ("locks", locks, known.locks),
        ]
        return pairs.filter { abs($0.1 - $0.2) > 0.05 * $0.2 }.map { "\($0.0) are \($0.1), and were \($0.2)" }
    }
}
