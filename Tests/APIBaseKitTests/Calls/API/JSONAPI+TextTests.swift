import APIBaseKit
import APIBaseStubs
import LoopbackServer
import TestTiers
import Testing

private final class PageRequest: JSONAPI, Request {
    typealias ModelType = String
    override class var baseURL: URL? { URL(string: "https://pages.example") }
    override init() { super.init(.get("/page")) }
}

/// Leaves whose value is a text.
@Suite(.limited) struct TextReplyTests {
    private func text(_ bytes: [UInt8], type: String?, _ change: (PageRequest) -> Void = { _ in }) async throws
        -> String
    {
        let stubs = Stubs()
        stubs.on().answer(.status(200, headers: type.map { ["Content-Type": $0] } ?? [:], data: Data(bytes)))
        let request = PageRequest()
        change(request)
        return try await stubs.run { try await request.value() }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var type: String
        var bytes: [UInt8]
        var text: String

        var testDescription: String { "\(type) \(text)" }
    }

    static let rows = [
        Row(type: "text/plain", bytes: Array("é€🙂".utf8), text: "é€🙂"),
        Row(type: "TEXT/CSV", bytes: Array("a,b".utf8), text: "a,b"),
        Row(type: "text/plain; charset=utf-8", bytes: Array("é".utf8), text: "é"),
        Row(type: "text/plain; charset=utf-8", bytes: [0xEF, 0xBB, 0xBF, 0x61], text: "a"),
        Row(type: "text/plain", bytes: [0xEF, 0xBB, 0xBF, 0x61], text: "a"),
        Row(type: "text/plain; charset=us-ascii", bytes: [0x61], text: "a"),
        Row(type: "text/plain; charset=ISO-8859-1", bytes: [0xE9, 0xA4], text: "é¤"),
        Row(type: "text/plain; Charset=\"latin1\"", bytes: [0xE9], text: "é"),
        Row(type: "text/plain; a=\"x; charset=utf-16\" ;charset = iso-8859-1", bytes: [0xE9], text: "é"),
        Row(type: "text/plain;charset=iso-8859-2", bytes: [0xB1], text: "ą"),
        Row(type: "text/plain;charset=iso-8859-15", bytes: [0xA4], text: "€"),
        Row(type: "text/plain;charset=windows-1252", bytes: [0x80, 0xE9], text: "€é"),
        Row(type: "text/plain;charset=windows-1250", bytes: [0xB9], text: "ą"),
        Row(type: "text/plain;charset=windows-1251", bytes: [0xE4], text: "д"),
        Row(type: "text/plain;charset=koi8-r", bytes: [0xC1], text: "а"),
        Row(type: "text/plain;charset=Shift_JIS", bytes: [0x83, 0x65], text: "テ"),
        Row(type: "text/plain;charset=GBK", bytes: [0xC4, 0xE3], text: "你"),
        Row(type: "text/plain;charset=utf-16", bytes: [0xFE, 0xFF, 0, 0x61], text: "a"),
        Row(type: "text/plain;charset=utf-16", bytes: [0xFF, 0xFE, 0x61, 0], text: "a"),
        Row(type: "text/plain;charset=utf-16", bytes: [0x61, 0], text: "a"),
        Row(type: "text/plain;charset=utf-16le", bytes: [0x61, 0], text: "a"),
        Row(type: "text/plain;charset=utf-16be", bytes: [0xFE, 0xFF, 0, 0x61], text: "a"),
        Row(type: "text/plain", bytes: [0xFF, 0xFE, 0x61, 0], text: "a"),
        Row(type: "text/plain; charset=", bytes: [0x61], text: "a"),
        Row(type: "text/plain;charset=utf-8;charset=foo", bytes: [0x61], text: "a"),
        Row(type: "text/plain", bytes: [], text: ""),
        Row(type: "text/plain", bytes: Array(#""in quotes""#.utf8), text: #""in quotes""#),
        // A string in JSON, as before.
        Row(type: "application/json", bytes: Array(#""a\n\u00e9""#.utf8), text: "a\né"),
        Row(type: "application/vnd.api+json; charset=utf-8", bytes: Array(#""a""#.utf8), text: "a"),
        Row(type: "text/json", bytes: Array(#""a""#.utf8), text: "a"),
        Row(type: "text/x+json", bytes: Array(#""a""#.utf8), text: "a"),
        // A page with status 200 is a text, too.
        Row(type: "text/html; charset=utf-8", bytes: Array("<html>".utf8), text: "<html>"),
    ]

    @Test(arguments: rows)
    func `A text reply is decoded by the media type and charset of its Content-Type`(row: Row) async throws {
        #expect(try await text(row.bytes, type: row.type) == row.text)
    }

    @Test(
        arguments: [
            ("text/plain", [0x61, 0xFF], "expected text in utf-8, found other bytes."),
            ("text/plain; charset=us-ascii", [0xE9], "expected text in us-ascii, found other bytes."),
            ("text/plain; charset=windows-1252", [0x81], "expected text in windows-1252, found other bytes."),
            ("text/plain; charset=utf-16", [0, 0xD8, 0x61, 0], "expected text in utf-16, found other bytes."),
            ("text/plain; charset=x-\u{1}", [0x61], nil),
            ("text/plain; charset=klingon", [0x61], "expected text in a known charset, found the charset “klingon”."),
            ("application/json", [0x61], "expected JSON, found text that is no JSON."),
            ("application/json", Array("7".utf8), "expected String, found a number."),
        ] as [(String, [UInt8], String?)]
    )
    func `A text request whose reply cannot be decoded fails with an undecodable error with the reason`(
        type: String,
        bytes: [UInt8],
        words: String?
    ) async throws {
        await #expect { try await text(bytes, type: type) } throws: { error in
            guard case .undecodable(let reply) = error as? RequestError, reply.reply.body == Data(bytes) else {
                return false
            }
            let sentence = error.localizedDescription
            return words.map { sentence.hasSuffix("is no String: \($0)") } ?? !sentence.contains("\u{1}")
        }
    }

    @Test(arguments: [("image/png", false), ("application/xml", false), (nil, false), ("text/plain", true)])
    func `A text request fails with contentTypeMismatch for a reply that is neither text nor JSON`(
        type: String?,
        isAccepted: Bool
    ) async throws {
        if isAccepted { return #expect(try await text([0x61], type: type) == "a") }
        await #expect {
            try await text([0x61], type: type)
        } throws: { error in
            guard case RequestError.contentTypeMismatch = error else { return false }
            return true
        }
    }

    /// What a leaf or its API sets counts.
    @Test
    func `A text request that accepts only plain text fails with contentTypeMismatch for an HTML reply`() async throws {
        let strict: (PageRequest) -> Void = { $0.acceptedTypes = ["text/plain"] }
        #expect(try await text([0x61], type: "text/plain", strict) == "a")
        await #expect {
            try await text(Array("<html>".utf8), type: "text/html", strict)
        } throws: { error in
            guard case RequestError.contentTypeMismatch = error else { return false }
            return true
        }
    }

    @Test(
        arguments: [
            (nil, nil, "application/json, text/*;q=0.9"), (["text/plain"], nil, "text/plain"),
            (nil, "text/csv", "text/csv"), (["*/*"], "text/csv", "text/csv"),
        ] as [([String]?, String?, String)]
    )
    func `A text request's Accept header lists its acceptedTypes unless its headers have an Accept`(
        types: [String]?,
        header: String?,
        sent: String
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("a"))
        let request = PageRequest()
        if let types { request.acceptedTypes = types }
        if let header { request.headers["Accept"] = header }
        for _ in 1...2 { _ = try await stubs.run { try await request.value() } }
        #expect(stubs.calls.map { $0.request.value(forHTTPHeaderField: "Accept") } == [sent, sent])
    }

    @Test func `A text reply of 4 MB in ISO-8859-1 is decoded whole`() async throws {
        let bytes = [UInt8](repeating: 0xE9, count: 4 << 20)
        #expect(try await text(bytes, type: "text/plain; charset=iso-8859-1").utf8.count == 8 << 20)
    }

    @Test(.everySession) func `A text reply from a local HTTP server is decoded as UTF-8`() async throws {
        let server = try HTTPServer { _ in .text("é") }
        defer { server.stop() }
        let request = PageRequest()
        request.baseURL = server.url
        request.session = EverySession.current
        #expect(try await request.value() == "é")
    }
}
