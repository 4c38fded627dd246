import Harness

/// The results of jobs that took turns, each time in a process of its own, so that whatever slows the machine slows all.
struct Rounds<Finding> {
    /// What came of each job, round by round.
    private let findings: [[Finding]]

    /// Who comes first differs from round to round.
    ///
    /// - Parameters:
    ///   - rounds: How often each job is done.
    ///   - jobs: How many jobs there are.
    ///   - run: Does the job of this number.
    init(_ rounds: Int, jobs: Int, _ run: (Int) async throws -> Finding) async rethrows {
        var findings: [[Finding]] = []
        for round in 0..<rounds {
            var results: [(job: Int, finding: Finding)] = []
            for turn in 0..<jobs {
                let job = (turn + round) % jobs
                results.append((job, try await run(job)))
            }
            findings.append(results.sorted { $0.job < $1.job }.map(\.finding))
        }
        self.findings = findings
    }

    /// What this is for the job, in all rounds.
    func sample(_ job: Int, _ value: (Finding) -> Double) -> Quartiles {
        Quartiles(findings.map { value($0[job]) })
    }

    /// How many times as much this is as for another job of the same round.
    func ratio(_ job: Int, to other: Int, _ value: (Finding) -> Double) -> Quartiles {
        Quartiles(findings.map { value($0[job]) / value($0[other]) })
    }

    /// The sum of this over all rounds.
    func sum(_ job: Int, _ value: (Finding) -> Int) -> Int {
        findings.reduce(0) { $0 + value($1[job]) }
    }
}
