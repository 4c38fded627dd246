import Foundation
import StrictJSON
import Testing

/// Documents in other encodings than UTF-8, with and without a byte order mark.
@Suite struct TextEncodingTests {
    private static let encodings: [String.Encoding] = [
        .utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian, .utf16, .utf32, .utf8,
    ]

    @Test(arguments: encodings, [#"{"a":["é😀",1.5]}"#, "5", "\"\"", "[]", "[1", "x", " 1"])
    func `StrictJSONDecoder decodes UTF-8, UTF-16 and UTF-32 with any byte order mark like JSONDecoder`(
        encoding: String.Encoding,
        json: String
    ) throws {
        let data = try #require(json.data(using: encoding))
        let marks: [[UInt8]] = [
            [], [0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0],
            [0xFE, 0xFF, 0, 0],
        ]
        for mark in marks {
            let both = try Both(Anything.self, Data(mark) + data)
            #expect("\(both.ours)" == "\(both.theirs)", "\(mark)")
        }
    }

    @Test(arguments: [[0xD8, 0x00], [0x00, 0x22, 0xD8, 0x00, 0x00, 0x22]] as [[UInt8]])
    func `StrictJSONDecoder gives JSONDecoder's result for malformed UTF-16 after a byte order mark`(bytes: [UInt8])
        throws
    {
        let both = try Both(Anything.self, Data([0xFE, 0xFF]) + Data(bytes))
        #expect("\(both.ours)" == "\(both.theirs)")
    }

    /// Foundation drops the rest of a unit.
    @Test(arguments: encodings.dropLast(), ["21", #"["é😀"]"#])
    func `A document in UTF-16 or UTF-32 that ends inside a unit or a character is an error`(
        encoding: String.Encoding,
        json: String
    ) throws {
        let data = try #require(json.data(using: encoding))
        for count in 1..<("\(encoding)".contains("32") ? 4 : 2) {
            for mark in [[], [0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]] as [[UInt8]] {
                let whole = Data(mark) + data + data
                #expect(throws: DecodingError.self, "\(mark) \(count)") {
                    try StrictJSONDecoder().decode([String].self, from: whole.dropLast(count))
                }
            }
            #expect(throws: DecodingError.self) {
                try StrictJSONDecoder().decode(Anything.self, from: data.dropLast(count))
            }
            #expect(throws: DecodingError.self) {
                try StrictJSONDecoder().decode(Anything.self, from: data + Data(count: count))
            }
        }
    }

    /// Half a character beyond the first 65,536 is no text.
    @Test(arguments: [[0x00, 0x22, 0xD8, 0x3D, 0x00, 0x22], [0x00, 0x22, 0xDE, 0x00, 0x00, 0x22]] as [[UInt8]])
    func `A document in UTF-16 with a lone surrogate is an error`(bytes: [UInt8]) {
        for mark in [[], [0xFE, 0xFF]] as [[UInt8]] {
            #expect(throws: DecodingError.self) {
                try StrictJSONDecoder().decode(String.self, from: Data(mark) + Data(bytes))
            }
        }
    }
}
