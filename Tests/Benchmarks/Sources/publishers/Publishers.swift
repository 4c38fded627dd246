import Harness
import OnOpenCombine
import OnOurs

/// Measures our publishers beside OpenCombine's and prints a table.
///
/// Arguments: words, one of which a line must contain. Or, to be run under a profiler: `only ours` (or `theirs`), a word,
/// and how often the first such line is to be run.
@main
struct Publishers {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.count == 4, words[0] == "only", let times = Int(words[3]) {
            let lines = words[1] == "ours" ? OnOurs.lines() : OnOpenCombine.lines()
            guard let line = lines.first(where: { $0.name.contains(words[2]) }) else { return }
            for _ in 0..<times { line.run() }
            return
        }
        let theirs = Dictionary(uniqueKeysWithValues: OnOpenCombine.lines().map { ($0.name, $0) })
        print(Duel.head)
        for line in OnOurs.lines() where words.isEmpty || words.contains(where: line.name.contains) {
            print(Duel(line, against: theirs[line.name]).row)
        }
    }
}
