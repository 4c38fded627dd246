import Harness

/// Measures StrictJSON beside Foundation's decoder and prints a table.
///
/// Arguments: words, one of which a line must contain. Or, to be run under a profiler: `only ours` (or `theirs`), a word,
/// and how often the first such line is to be run.
@main
struct Decoding {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.count == 4, words[0] == "only", let times = Int(words[3]) {
            guard let contest = Contest.all().first(where: { $0.name.contains(words[2]) }) else { return }
            let (_, ours, theirs) = contest.prepare()
            let line = words[1] == "ours" ? ours : theirs
            for _ in 0..<times { line.run() }
            return
        }
        print(
            "| document | bytes | µs: StrictJSON | JSONDecoder | ratio (quartiles) | allocations: StrictJSON | JSONDecoder |"
        )
        print("|---|---:|---:|---:|---:|---:|---:|")
        for contest in Contest.all() where words.isEmpty || words.contains(where: contest.name.contains) {
            print(row(of: contest))
        }
    }

    private static func row(of contest: Contest) -> String {
        let (bytes, ours, theirs) = contest.prepare()
        // Theirs before ours: the ratio is then our share of their time.
        let duel = Duel(theirs, against: ours)
        let ratio = duel.ratio.map {
            "**\(fixed($0.median, digits: 2))** (\(fixed($0.lower, digits: 2))–\(fixed($0.upper, digits: 2)))"
        }
        let cells = [
            contest.name,
            "\(bytes)",
            duel.theirs.map { fixed($0.median / 1000, digits: 1) } ?? "–",
            fixed(duel.ours.median / 1000, digits: 1),
            ratio ?? "–",
            duel.theirAllocations.map(String.init) ?? "–",
            duel.ourAllocations.map(String.init) ?? "–",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}
