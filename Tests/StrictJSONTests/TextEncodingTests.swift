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

    @Test(arguments: [[0xD8, 0x00], [0x00, 0x22, 0xD8, 0x00, 0x00, 0x22], [0x00, 0x31, 0x00]] as [[UInt8]])
    func `StrictJSONDecoder gives JSONDecoder's result for malformed UTF-16 after a byte order mark`(bytes: [UInt8])
        throws
    {
        let both = try Both(Anything.self, Data([0xFE, 0xFF]) + Data(bytes))
        #expect("\(both.ours)" == "\(both.theirs)")
    }
}
