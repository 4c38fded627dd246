import APIBaseKit
@testable import APIBaseStreams
import Testing

struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-9/100", 0, 9, 100), ("bytes 5-5/6", 5, 5, 6), ("Bytes  7-9/*", 7, 9, nil),
            ("bytes 00-09/010", 0, 9, 10),
            ("bytes 0-9223372036854775806/9223372036854775807", 0, .max - 1, .max),
        ] as [(String, Int64, Int64, Int64?)]
    )
    func `A valid Content-Range is parsed into first byte, last byte and total`(
        _ text: String,
        first: Int64,
        last: Int64,
        total: Int64?
    ) throws {
        let range = try #require(ContentRange(text))
        #expect((range.first, range.last) == (first, last))
        #expect(range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-9", "0-9/10", "bytes */10", "bytes 9-0/10", "bytes 0-10/10", "bytes 0-9/", "bytes -9/10",
        "bytes 0-/10", "bytes 0-9/10/11", "bytes 0-9-10/11", "bytes +0-9/10", "bytes 0-+9/10", "bytes 0-9/+10",
        "bytes 0-9/-1", "bytes 0x0-9/10", "lines 0-9/10", "bytes=0-9/10", "bytes 0-9/10 x", "bytes 0 -9/10",
        "bytes ٠-٩/١٠",
        "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775808/*", "bytes 0-9/99999999999999999999",
        "bytes 0-9/**", "bytes 0-9/10, bytes 10-19/20",
    ])
    func `A malformed Content-Range is parsed as nil`(_ text: String) {
        #expect(ContentRange(text) == nil)
    }
}
