import Testing

@testable import APIBaseKit

@Suite struct RemovalCountsTests {
    @Test func eachRemovalCounts() {
        let counts = RemovalCounts()
        for number in 1...3 {
            counts.increase(for: "https://api.example/a")
            #expect(counts.count(for: "https://api.example/a") == number)
        }
    }

    /// Others may count as well, but not all of them.
    @Test func othersDoNotCount() {
        let counts = RemovalCounts()
        counts.increase(for: "https://api.example/a")
        let others = (0..<1_000).filter { counts.count(for: "https://api.example/\($0)") > 0 }
        #expect(others.count < 100)
    }
}
