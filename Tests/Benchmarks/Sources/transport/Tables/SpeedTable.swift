/// One scenario's results in Markdown.
struct SpeedTable: CustomStringConvertible {
    let description: String

    init(_ scenario: Scenario, _ contenders: [Contender], _ rounds: Rounds<Measurement>) {
        let rival = contenders.firstIndex(of: scenario.rival)
        let yardstick = contenders.firstIndex(of: .c)
        var columns = ["client", "requests/s"]
        if rival != nil { columns.append("÷ AHC") }
        columns.append("CPU s per 10,000")
        if rival != nil { columns.append("CPU ÷ AHC") }
        if yardstick != nil { columns.append("÷ C") }
        var table = MarkdownTable(columns + ["peak RSS, MiB", "connections"])
        for (index, contender) in contenders.enumerated() {
            var cells = [rounds.sample(index, \.rate).text(0)]
            if let rival { cells.append(rounds.ratio(index, to: rival, \.rate).text(2)) }
            cells.append(rounds.sample(index, \.cpuPerTenThousand).text(2))
            if let rival { cells.append(rounds.ratio(index, to: rival, \.cpuPerTenThousand).text(2)) }
            if let yardstick { cells.append(fixed(rounds.ratio(index, to: yardstick, \.rate).median, 2)) }
            cells.append(fixed(rounds.sample(index, \.peakMebibytes).median, 0))
            cells.append(fixed(rounds.sample(index) { Double($0.connections) }.median, 0))
            table.add(contender.name, failures: rounds.sum(index, \.failures), cells)
        }
        description = "### \(scenario.name)\n\n\(table)"
    }
}
