import Foundation
import Harness

/// One scenario's results in Markdown.
struct Table: CustomStringConvertible {
    let description: String

    init(
        _ scenario: Scenario,
        _ contenders: [Contender],
        _ rounds: [[Contender: Measurement]],
        _ options: Options
    ) {
        func sample(_ contender: Contender, _ value: (Measurement) -> Double) -> Quartiles? {
            let values = rounds.compactMap { $0[contender].map(value) }
            return values.isEmpty ? nil : Quartiles(values)
        }
        /// Round by round, since what slows the machine slows both.
        func ratio(_ contender: Contender, to other: Contender) -> String {
            let values = rounds.compactMap { round in
                round[contender].flatMap { mine in round[other].map { mine.rate / $0.rate } }
            }
            return values.isEmpty ? "–" : fixed(Quartiles(values).median, 2)
        }
        let connections = options.connections ?? scenario.concurrency
        var lines = [
            "### \(scenario.name)", "",
            "\(rounds.count) rounds, at most \(connections) connections, medians, quartiles in parentheses.", "",
            "| client | requests/s | ÷ AHC `async` | ÷ AHC futures | ÷ C | CPU s per 10,000 | peak RSS MiB | connections |",
            "|---|---:|---:|---:|---:|---:|---:|---:|",
        ]
        for contender in contenders {
            guard
                let rate = sample(contender, \.rate), let cpu = sample(contender, \.cpuPerTenThousand),
                let memory = sample(contender, { Double($0.peakBytes) / 1_048_576 }),
                let opened = sample(contender, { Double($0.connections) })
            else { continue }
            let failures = rounds.compactMap { $0[contender]?.failures }.reduce(0, +)
            let cells = [
                contender.name + (failures == 0 ? "" : " (\(failures) failures)"),
                "**\(fixed(rate.median, 0))** (\(fixed(rate.lower, 0))–\(fixed(rate.upper, 0)))",
                ratio(contender, to: .async), ratio(contender, to: .futures), ratio(contender, to: .c),
                "\(fixed(cpu.median, 2)) (\(fixed(cpu.lower, 2))–\(fixed(cpu.upper, 2)))",
                fixed(memory.median, 0), fixed(opened.median, 0),
            ]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        description = lines.joined(separator: "\n") + "\n"
    }
}

/// The number with so many decimal places.
func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
