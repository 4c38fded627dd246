import Testing

@testable import HTTPTransport

/// Field lines as they come over the wire.
@Suite struct FieldBlockTests {
    private static func block(_ bytes: [UInt8]) -> FieldBlock { bytes.withUnsafeBufferPointer { FieldBlock($0) } }

    private static func block(_ text: String) -> FieldBlock { block(Array(text.utf8)) }

    // MARK: Fields

    struct Fields: Sendable, CustomTestStringConvertible {
        let lines: String
        let fields: [String]

        init(_ lines: String, _ fields: [String]) {
            self.lines = lines
            self.fields = fields
        }

        var testDescription: String { lines.debugDescription }
    }

    @Test(arguments: [
        Fields("", []),
        Fields("A: b\r\n", ["A=b"]),
        Fields("A: b", ["A=b"]),
        Fields("A: b\n", ["A=b"]),
        Fields("A: b\nC: d\r\n", ["A=b", "C=d"]),
        Fields("A:b\r\n", ["A=b"]),
        Fields("A:\r\n", ["A="]),
        Fields("A: \t \r\n", ["A="]),
        Fields("A: \t b c\t \r\n", ["A=b c"]),
        Fields("A: b: c\r\n", ["A=b: c"]),
        Fields("A: 1\r\na: 2\r\nB: 3\r\nA: 4\r\n", ["A=1", "a=2", "B=3", "A=4"]),
        Fields("!#$%&'*+-.^_`|~09azAZ: x\r\n", ["!#$%&'*+-.^_`|~09azAZ=x"]),
        Fields("A: gr\u{FC}n \u{1F600}\r\n", ["A=gr\u{FC}n \u{1F600}"]),
        Fields("A: \u{1}\u{7F}\r\n", ["A=\u{1}\u{7F}"]),
        // Lines that continue another.
        Fields("A: b\r\n c\r\n", ["A=b c"]),
        Fields("A: b\r\n\t  c \r\n  d\r\nE: f\r\n", ["A=b c d", "E=f"]),
        Fields("A:\r\n b\r\n", ["A=b"]),
        Fields("A: b\r\n \r\n", ["A=b"]),
        Fields("A: b\r\n c: d\r\n", ["A=b c: d"]),
    ])
    func `Response header lines, also those continued on a second line, are parsed to names and values`(_ test: Fields)
        throws
    {
        let block = Self.block(test.lines)
        _ = try block.framing()
        #expect(block.makeHeaders().map { "\($0.name)=\($0.value)" } == test.fields)
        #expect(block.count == test.lines.utf8.count)
    }

    @Test func `A header value that is not valid UTF-8 is decoded as Latin-1`() throws {
        let block = Self.block(Array("A: gr".utf8) + [0xFC] + Array("n\r\nB: \u{E9}\r\n".utf8))
        _ = try block.framing()
        #expect(block.makeHeaders().map(\.value) == ["gr\u{FC}n", "\u{E9}"])
    }

    @Test(arguments: [
        " A: b\r\n", "\tA: b\r\n", "\r\n", "\n", " \r\n",  // nothing to continue
        "A\r\n", "A b\r\n", "A: b\r\nC\r\n",  // no colon
        ": b\r\n", "A : b\r\n", "A\t: b\r\n", "A b: c\r\n", "A(b): c\r\n", "\u{E4}: b\r\n", "A\": b\r\n", "A/: b\r\n",
        "A: b\0\r\n", "A\0: b\r\n", "A: b\rc\r\n", "A: b\r\r\n", "A: b\r\n c\0\r\n", "A: b\r\n c\rd\r\n",
    ])
    func `FieldBlock.framing() throws MalformedHead for a malformed header line`(lines: String) {
        #expect(throws: MalformedHead.self) { try Self.block(lines).framing() }
    }

    // MARK: The body

    struct Framing: Sendable, CustomTestStringConvertible {
        let lines: String
        var length: Int64?
        var isChunked = false
        var encoding: String?
        var coding: String?

        var testDescription: String { lines.debugDescription }
    }

    @Test(arguments: [
        Framing(lines: "A: b\r\n"),
        Framing(lines: "Content-Length: 0\r\n", length: 0),
        Framing(lines: "content-LENGTH:\t 12 \r\n", length: 12),
        Framing(lines: "Content-Length: 007\r\n", length: 7),
        Framing(lines: "Content-Length: 9223372036854775807\r\n", length: .max),
        Framing(lines: "Content-Length: 5, 5\r\n", length: 5),
        Framing(lines: "Content-Length: 5 ,\t05\r\n", length: 5),
        Framing(lines: "Content-Length: 5\r\nA: b\r\nContent-Length: 5\r\n", length: 5),
        Framing(lines: "Transfer-Encoding: chunked\r\n", isChunked: true),
        Framing(lines: "TRANSFER-encoding: \tCHUNKED \r\n", isChunked: true),
        Framing(lines: "X-Content-Length: 5\r\nContent-Lengths: 6\r\nTransfer-Encodings: x\r\n"),
        Framing(lines: "Content-Encoding: GZip\r\n", encoding: "gzip", coding: "gzip"),
        Framing(lines: "Content-Encoding: identity\r\n", encoding: "identity"),
        Framing(lines: "Content-Encoding: Identity\r\nContent-Length: 1\r\n", length: 1, encoding: "identity"),
        Framing(lines: "Content-Encoding:\r\n", encoding: ""),
        Framing(lines: "Content-Encoding: gzip, br\r\n", encoding: "gzip, br"),
        Framing(
            lines: "Content-Encoding: gzip\r\ncontent-encoding: BR\r\n",
            encoding: "gzip, br"
        ),
        Framing(
            lines: "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
            isChunked: true,
            encoding: "gzip",
            coding: "gzip"
        ),
    ])
    func `FieldBlock.framing() reads Content-Length, Transfer-Encoding and Content-Encoding`(_ test: Framing) throws {
        let framing = try Self.block(test.lines).framing()
        #expect(framing.contentLength == test.length)
        #expect(framing.isChunked == test.isChunked)
        #expect(framing.contentEncoding == test.encoding)
        #expect(framing.coding == test.coding)
    }

    @Test(arguments: [
        "Content-Length:\r\n", "Content-Length: \r\n", "Content-Length: x\r\n", "Content-Length: -1\r\n",
        "Content-Length: +1\r\n", "Content-Length: 1.0\r\n", "Content-Length: 0x10\r\n", "Content-Length: 1 2\r\n",
        "Content-Length: 9223372036854775808\r\n", "Content-Length: 99999999999999999999\r\n",
        "Content-Length: \u{661}\r\n", "Content-Length: 5, 6\r\n", "Content-Length: 5,\r\n", "Content-Length: ,5\r\n",
        "Content-Length: 5,,5\r\n", "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Transfer-Encoding:\r\n", "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n", "Transfer-Encoding: identity\r\n", "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: \"chunked\"\r\n", "Transfer-Encoding: chunked;a=b\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    ])
    func `An invalid or contradictory Content-Length or Transfer-Encoding throws MalformedHead`(lines: String) {
        #expect(throws: MalformedHead.self) { try Self.block(lines).framing() }
    }

    // MARK: Fields about the body in two lines

    @Test(arguments: [
        "Content-Length: 5\r\n 5\r\n", "Content-Length: 5\r\n 6\r\n", "Content-Length:\r\n 5\r\n",
        "Content-Length: 5\r\n ,5\r\n", "Transfer-Encoding:\r\n chunked\r\n",
        "Transfer-Encoding: chunked\r\n , gzip\r\n", "Content-Encoding: gzip\r\n , br\r\n",
    ])
    func `A Content-Length or coding header continued on a second line throws MalformedHead`(lines: String) {
        #expect(throws: MalformedHead.self) { try Self.block(lines).framing() }
    }

    @Test(arguments: ["A: b\r\n c\r\nContent-Length: 5\r\n", "Content-Length: 5\r\nA: b\r\n c\r\n"])
    func `A header continued on a second line beside Content-Length does not change the length`(lines: String) throws {
        #expect(try Self.block(lines).framing().contentLength == 5)
    }
}
