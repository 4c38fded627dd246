import Harness

/// Two sequences, pair by pair.
func zip() -> Line {
    Line("`zip` of two sequences", elements: 100_000) {
        drain((0..<100_000).publisher.zip((0..<100_000).publisher) { $0 &+ $1 })
    }
}
