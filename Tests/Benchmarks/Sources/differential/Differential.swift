import Chains
import Foundation
import OnOpenCombine
import OnOurs

/// Runs random chains through both libraries and compares what happened. Arguments: how many (100,000), which seed (1).
///
/// Ends with 1 if there is a difference that no rule explains.
@main
struct Differential {
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let count = Int(numbers.first ?? 100_000)
        let seed = numbers.dropFirst().first ?? 1
        let names = OnOurs.operatorNames.intersection(OnOpenCombine.operatorNames).sorted()
        print("\(count) chains of \(names.count) operators, seed \(seed)")
        let alone = OnOurs.operatorNames.symmetricDifference(OnOpenCombine.operatorNames).sorted()
        if !alone.isEmpty { print("not in both libraries: \(alone.joined(separator: ", "))") }

        var report = Report()
        var next = 0
        while next < count {
            let batch = (next..<min(next + 1000, count)).map {
                Chain.random(number: $0, seed: seed, operators: names)
            }
            let findings = Isolated.survey(batch)
            guard !findings.isEmpty else {
                print("no process could be started")
                exit(2)
            }
            for finding in findings { report.add(finding) }
            next += findings.count
        }
        report.show()
        exit(report.isClean ? 0 : 1)
    }
}
