import Foundation
import StrictJSON
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct SharedDecoderTests {
    @Test func `A StrictJSONDecoder shared by 100 concurrent tasks decodes the document of each task`() async throws {
        let decoder = StrictJSONDecoder()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask { try decoder.decode([Int].self, from: Data("[\(number)]".utf8))[0] }
            }
            var sum = 0
            for try await number in group { sum += number }
            #expect(sum == 4950)
        }
    }
}
