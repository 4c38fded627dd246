import Harness
import OnOpenCombine
import OnOurs

/// Measures our publishers beside OpenCombine's and prints a table. Arguments: words, one of which a line must contain.
@main
struct Publishers {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        let theirs = Dictionary(uniqueKeysWithValues: OnOpenCombine.lines().map { ($0.name, $0) })
        print(Duel.head)
        for line in OnOurs.lines() where words.isEmpty || words.contains(where: line.name.contains) {
            print(Duel(line, against: theirs[line.name]).row)
        }
    }
}
