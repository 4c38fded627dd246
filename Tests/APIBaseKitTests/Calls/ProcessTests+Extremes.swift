#if os(Linux) && !canImport(Combine)
import APIBaseKit
import HostileServer
import TestTiers
import Testing

/// The ends of the ranges of all numbers and times that can be set, each in a call that uses it: the table is ``Extremes`` of the
/// program `probe`, since a trap would end this process.
extension ProcessTests {
    private static let parts = [
        ("calls", 86), ("retries", 62), ("gates", 27), ("bodies", 33), ("caches", 14), ("json", 42),
    ]
    /// Their rows have waits, or take more of the processor.
    private static let slowParts = [("stubs", 89), ("transport", 108), ("combine", 60), ("server", 19)]

    @Test(arguments: runsAllTests ? parts + slowParts : parts)
    func `Settings with extreme numbers or times give the expected result or error without a crash`(
        part: String,
        count: Int
    ) async throws {
        let (end, text) = try await run("probe", "extremes", part)
        let lines = text.split(separator: "\n")
        // The row behind the last one is the one that has ended the process.
        #expect(end == .exit(0), "behind \(lines.last ?? "nothing")")
        #expect(lines.count == count)
        for line in lines { #expect(line.hasSuffix("\tright"), "\(line)") }
    }
}
#endif
