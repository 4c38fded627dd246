import APIBaseKit
import Testing

@testable import APIBaseCache

@Suite struct InvalidationGenerationsTests {
    @Test func `Each invalidation of a URL in the cache increments its generation counter by one`() {
        let generations = InvalidationGenerations()
        for number in 1...3 {
            generations.advance("https://api.example/a")
            #expect(generations.generation(of: "https://api.example/a") == number)
        }
    }

    /// Other URLs may share a count, but not all of them.
    @Test func `Invalidating one URL increments the generation counters of fewer than 100 of 1,000 other URLs`() {
        let generations = InvalidationGenerations()
        generations.advance("https://api.example/a")
        let others = (0..<1_000).filter { generations.generation(of: "https://api.example/\($0)") > 0 }
        #expect(others.count < 100)
    }
}
