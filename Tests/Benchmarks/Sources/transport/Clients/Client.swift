/// A contender at work.
protocol Client: Sendable {
    /// Carries out `count` requests, and returns how many did not bring what they should.
    func run(_ count: Int) async -> Int
    func close() async
}

/// The sum of what `lane` returns, run that number of times at once.
func inLanes(_ count: Int, _ lane: @escaping @Sendable () async -> Int) async -> Int {
    await withTaskGroup(of: Int.self) { group in
        for _ in 0..<count { group.addTask { await lane() } }
        return await group.reduce(0, +)
    }
}
