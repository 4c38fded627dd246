import Chains
import OnOpenCombine
import OnOurs

/// What all chains come to.
struct Report {
    /// Crashes are shrunk with a process for every attempt; this many say enough.
    private static let shrunkCrashes = 40

    private var same = 0
    private var crashes = 0
    private var crashExamples: [String: Chain] = [:]
    private var explained: [String: (count: Int, example: Difference)] = [:]
    private var unexplained: [String: (count: Int, example: Difference)] = [:]

    /// Whether every difference is explained.
    var isClean: Bool { unexplained.isEmpty }

    mutating func add(_ finding: Finding) {
        switch finding.outcome {
        case .same: same += 1
        case .different:
            note(Difference(running: finding.small))
        case .oursCrashed: note(Difference(chain: finding.small, ours: [], theirs: OnOpenCombine.run(finding.small)))
        case .theirsCrashed:
            crashes += 1
            if crashes <= Self.shrunkCrashes {
                let small = Isolated.shrunk(finding.small, while: .theirsCrashed)
                crashExamples[Self.key(small)] = small
            }
        }
    }

    private mutating func note(_ difference: Difference) {
        if let rule = rules.first(where: { $0.explains(difference) }) {
            explained[rule.name, default: (0, difference)].count += 1
        } else {
            unexplained[Self.key(difference.chain), default: (0, difference)].count += 1
        }
    }

    private static func key(_ chain: Chain) -> String { chain.operators.map(\.name).joined(separator: " → ") }

    func show() {
        print("\(same) the same, but for what `Difference.isReal` leaves out")
        if crashes > 0 {
            print("\n\(crashes) × OpenCombine aborts or hangs (\(Rule.Verdict.theirs.rawValue)), for instance:")
            for chain in crashExamples.values.map(\.description).sorted() { print("    \(chain)") }
        }
        for rule in rules {
            guard let (count, example) = explained[rule.name] else { continue }
            print("\n\(count) × \(rule.name) (\(rule.verdict.rawValue)): \(rule.reason)")
            Self.show(example)
        }
        for (count, example) in unexplained.values.sorted(by: { $0.count > $1.count }) {
            print("\n\(count) × UNEXPLAINED")
            Self.show(example)
        }
        print("\n\(unexplained.values.reduce(0) { $0 + $1.count }) differences without an explanation")
    }

    private static func show(_ difference: Difference) {
        print("    chain:  \(difference.chain)")
        print("    ours:   \(difference.ours.map(\.description).joined(separator: ", "))")
        print("    theirs: \(difference.theirs.map(\.description).joined(separator: ", "))")
    }
}
