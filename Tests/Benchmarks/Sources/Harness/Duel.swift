import CAllocations

/// The measurement of one line for two contenders, in turns, so that whatever slows the machine slows both.
public struct Duel {
    /// What was measured.
    public let name: String
    /// Elements handled by one run.
    public let elements: Int
    /// Nanoseconds per run.
    public let ours: Quartiles
    /// Nanoseconds per run; nil if the other contender cannot do this.
    public let theirs: Quartiles?
    /// Their time divided by ours, round by round.
    public let ratio: Quartiles?
    /// How often one run of ours allocates; nil where that cannot be counted.
    public let ourAllocations: Int?
    /// How often one run of theirs allocates.
    public let theirAllocations: Int?

    /// Warms both up, then measures them in `rounds` rounds of about 20 ms each.
    public init(_ ours: Line, against theirs: Line?, rounds: Int = 15) {
        name = ours.name
        elements = ours.elements
        let clock = ContinuousClock()
        func time(_ line: Line, times: Int) -> Double {
            let duration = clock.measure {
                for _ in 0..<times { line.run() }
            }
            return Double(duration.components.attoseconds) / 1e9 + Double(duration.components.seconds) * 1e9
        }
        func timesForOneRound(of line: Line) -> Int {
            var times = 1
            while time(line, times: times) < 10_000_000, times < 1_000_000 { times *= 2 }
            return times
        }

        let ourTimes = timesForOneRound(of: ours)
        let theirTimes = theirs.map(timesForOneRound)
        var ourSample: [Double] = []
        var theirSample: [Double] = []
        func measureOurs() { ourSample.append(time(ours, times: ourTimes) / Double(ourTimes)) }
        func measureTheirs() {
            guard let theirs, let theirTimes else { return }
            theirSample.append(time(theirs, times: theirTimes) / Double(theirTimes))
        }
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                measureOurs()
                measureTheirs()
            } else {
                measureTheirs()
                measureOurs()
            }
        }

        self.ours = Quartiles(ourSample)
        self.theirs = theirSample.isEmpty ? nil : Quartiles(theirSample)
        ratio = theirSample.isEmpty ? nil : Quartiles(zip(theirSample, ourSample).map { $0 / $1 })
        ourAllocations = Self.allocations(of: ours)
        theirAllocations = theirs.flatMap(Self.allocations)
    }

    /// The median of five runs: threads of the system allocate now and then.
    private static func allocations(of line: Line) -> Int? {
        guard allocations_are_counted() else { return nil }
        let counts = (0..<5).map { _ in
            allocations_start()
            line.run()
            return allocations_stop()
        }
        return counts.sorted()[2]
    }
}

extension Duel {
    /// The head of the table.
    public static let head = """
        | line | ns per | ours | OpenCombine | OpenCombine ÷ ours (quartiles) | allocations per run: ours | OpenCombine |
        |---|---|---:|---:|---:|---:|---:|
        """

    /// One row of the table, in Markdown.
    public var row: String {
        func number(_ value: Double?) -> String {
            guard let value else { return "–" }
            return value < 100 ? fixed(value, digits: 1) : "\(Int(value.rounded()))"
        }
        let share = Double(elements)
        let ratio = ratio.map {
            "**\(fixed($0.median, digits: 2))** (\(fixed($0.lower, digits: 2))–\(fixed($0.upper, digits: 2)))"
        }
        let cells = [
            name,
            elements == 1 ? "run" : "element",
            number(ours.median / share),
            number(theirs.map { $0.median / share }),
            ratio ?? "–",
            ourAllocations.map(String.init) ?? "–",
            theirAllocations.map(String.init) ?? "–",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

/// `value` with `digits` decimal places.
public func fixed(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let whole = Int((value * scale).rounded())
    let fraction = String(whole % Int(scale))
    return "\(whole / Int(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
}
