import APIBaseKit
import Testing

@Suite struct LenientArrayTests {
    private struct Item: Decodable, Equatable {
        let id: Int
    }

    private func decode(_ json: String) throws -> LenientArray<Item> {
        try JSONDecoder().decode(LenientArray<Item>.self, from: Data(json.utf8))
    }

    @Test(
        arguments: [
            ("[]", [], []), (#"[{"id": 1}, {}, {"id": 2}]"#, [1, 2], [1]), (#"[{}, {}]"#, [], [0, 1]),
            (#"[null, 1, "a", [], [1, 2], {"id": "x"}, {"id": 7}]"#, [7], [0, 1, 2, 3, 4, 5]),
        ] as [(String, [Int], [Int])]
    )
    func `LenientArray keeps the elements that decode and reports the failures with their index`(
        json: String,
        good: [Int],
        bad: [Int]
    ) throws {
        let array = try decode(json)
        #expect(array.elements.map(\.id) == good)
        #expect(array.failures.map(\.index) == bad)
        #expect(array.failures.allSatisfy { $0.underlying is DecodingError })
    }

    @Test(arguments: ["{}", "1", "null", "", "[{\"id\": 1}"])
    func `LenientArray throws DecodingError when the JSON is no array`(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }
}
