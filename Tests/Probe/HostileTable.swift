#if os(Linux)
import Foundation
import HostileServer

/// Plays the whole table on each engine and prints it as Markdown, for the documentation.
enum HostileTable {
    static func run() async throws {
        guard let children = Children() else { return }
        var columns: [(Engine, [String: String])] = []
        for engine in Engine.allCases {
            columns.append((engine, try await children.outcomes(of: Behavior.all, on: engine)))
        }
        print("| behavior | " + columns.map(\.0.rawValue).joined(separator: " | ") + " |")
        print("|---|" + columns.map { _ in "---" }.joined(separator: "|") + "|")
        for behavior in Behavior.all {
            let cells = columns.map { cell(behavior, $0.1[behavior.name] ?? "-") }
            print("| \(behavior.name) | " + cells.joined(separator: " | ") + " |")
        }
        for (engine, outcomes) in columns {
            let good = Behavior.all.filter { $0.isGood(outcomes[$0.name] ?? "") }.count
            print("\n\(engine.rawValue): \(good) of \(Behavior.all.count) as a good client.")
        }
    }

    /// An outcome that a good client would not have come to is printed in bold.
    private static func cell(_ behavior: Behavior, _ outcome: String) -> String {
        let text = outcome.replacingOccurrences(of: "|", with: "\\|")
        return behavior.isGood(outcome) ? text : "**\(text)**"
    }
}

extension Behavior {
    fileprivate func isGood(_ outcome: String) -> Bool { expected.contains { $0.description == outcome } }
}
#endif
