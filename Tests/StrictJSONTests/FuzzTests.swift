import Foundation
import TestTiers
import Testing

/// Both decoders on mutated documents: as many as `STRICT_JSON_DOCUMENTS` says, or else 200,000 in the second tier.
@Suite struct FuzzTests {
    /// A tenth in debug builds, whose time the comparison takes rather than the decoders, and a tenth in the first tier.
    private static let documents =
        ProcessInfo.processInfo.environment["STRICT_JSON_DOCUMENTS"].flatMap { Int($0) }
        ?? load(_isDebugAssertConfiguration() ? 20_000 : 200_000)

    @Test func `StrictJSONDecoder decodes mutated JSON like JSONDecoder, apart from documented differences`() {
        let tally = Tally.of(Self.documents, seed: 15)
        #expect(tally.defects == [])
        // Else nothing was compared.
        #expect(tally.counts[.same, default: 0] > Self.documents / 10)
        #expect(tally.counts[.sameFailure, default: 0] > 0)
        if runsAllTests { #expect(tally.counts[.refused, default: 0] > 0) }
    }

    @Test(arguments: Shape.all)
    func `StrictJSONDecoder decodes the unmutated JSON of each fuzzed model like JSONDecoder`(shape: Shape) {
        var tally = Tally()
        for seed in shape.seeds { shape.compare(seed, &tally) }
        #expect(tally.defects == [])
        #expect(tally.counts[.same] ?? 0 > 0)
    }

}

extension Shape: CustomTestStringConvertible {
    var testDescription: String { name }
}
