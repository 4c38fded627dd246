#if os(Linux)
import Foundation
import HostileServer
import HTTPTransport
import PortableCombine
import LoopbackServer
import TestTiers
import Testing

/// Coded bodies: undone whole, and refused when they are cut, broken or of an unknown kind.
@Suite(.limited) struct CurlCodingTests {
    /// "hello, coded world" ten times, by the tools of each coding.
    enum Sample: String, CaseIterable {
        case gzip, deflate, raw, br, zstd

        var coding: String { self == .raw ? "deflate" : rawValue }

        var bytes: [UInt8] {
            let text =
                switch self {
                case .gzip: "H4sIAAAAAAACA8tIzcnJ11FIzk9JTVEozy/KSVHIGDpCAD2rje6+AAAA"
                case .deflate: "eNrLSM3JyddRSM5PSU1RKM8vyklRyBg6QgBXYkPH"
                case .raw: "y0jNycnXUUjOT0lNUSjPL8pJUcgYOkIA"
                case .br: "G70AiIxUtb8kG3srkLIcZBbFijP0rGnBJQE="
                case .zstd: "KLUv/SC+1QAAmGhlbGxvLCBjb2RlZCB3b3JsZCABAFFGzTA="
                }
            return Array(Data(base64Encoded: text) ?? Data())
        }
    }

    private static let text = String(repeating: "hello, coded world ", count: 10)
    private let session = CurlSession()

    private func result(_ coding: String, _ bytes: [UInt8], chunked: Bool = false) async throws
        -> Result<Reply, TransportError>
    {
        let server = try ScriptedServer { _, connection, _ in
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n"
            if chunked {
                // Byte by byte, so that every state of the decoder is left and entered again.
                try connection.write(head + "Transfer-Encoding: chunked\r\n\r\n")
                for byte in bytes { try connection.write(Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8)) }
                try connection.write("0\r\n\r\n")
            } else {
                try connection.write(Array((head + "Content-Length: \(bytes.count)\r\n\r\n").utf8) + bytes)
            }
        }
        defer { server.stop() }
        return try await session.result(of: ExchangeRequest(port: server.port))
    }

    @Test(arguments: Sample.allCases, [false, true])
    func `CurlSession decodes a gzip, deflate, br or zstd response body, with or without chunked framing`(
        sample: Sample,
        chunked: Bool
    )
        async throws
    {
        #expect(try await result(sample.coding, sample.bytes, chunked: chunked).get().text == Self.text)
    }

    @Test(arguments: Sample.allCases)
    func `A truncated compressed response body fails with malformedResponse`(sample: Sample) async throws {
        for count in [1, 5, sample.bytes.count / 2, sample.bytes.count - 1] {
            let result = try await result(sample.coding, Array(sample.bytes.prefix(count)))
            #expect(result.reason == .malformedResponse, "\(count): \(result)")
            #expect(result.failure?.phase == .body)
        }
    }

    @Test(arguments: Sample.allCases)
    func `A compressed response body with extra bytes after its end fails with malformedResponse`(sample: Sample)
        async throws
    {
        let result = try await result(sample.coding, sample.bytes + Array("more".utf8))
        #expect(result.reason == .malformedResponse, "\(result)")
    }

    @Test(arguments: Sample.allCases)
    func `A body that is not in its declared content coding fails with malformedResponse`(sample: Sample) async throws {
        let result = try await result(sample.coding, Array("this is not coded at all".utf8))
        #expect(result.reason == .malformedResponse, "\(result)")
    }

    /// A coded body up to a fault, and its content.
    struct Beginning: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let coding: String
        let bytes: Data
        let content: Data

        /// Zeros, which fill the decoder's buffer several times.
        init(zeros count: Int, _ coding: String, _ base64: String) {
            (testDescription, self.coding) = ("\(count) zeros in \(coding)", coding)
            (bytes, content) = (Data(base64Encoded: base64) ?? Data(), Data(count: count))
        }

        /// Bytes that brotli has as they are (RFC 7932, section 9.2), after a head of 3 bytes.
        init(plain count: Int) {
            (testDescription, coding, content) = ("\(count) bytes as they are in br", "br", Data.pattern(count))
            let head = (count - 1) << 4 | 1 << 20
            bytes = Data([0, 8, 16].map { UInt8(truncatingIfNeeded: head >> $0) }) + content
        }
    }

    @Test(
        arguments: [1, 100, 4_092, 4_093, 4_094, 20_000].map { Beginning(plain: $0) } + [
            Beginning(zeros: 300_000, "br", "q+9JAkACIB4LJHORwAA="),
            Beginning(zeros: 300_000, "zstd", "KLUv/aDgkwQAVAAAEAAAAQD7/znAAgIAEAADnwQA"),
        ]
    )
    func `All bytes that a coded body has before broken ones arrive, and then the failure`(
        beginning: Beginning
    ) async throws {
        let server = try ScriptedServer { _, connection, _ in
            let bytes = beginning.bytes + Data(repeating: 0xFF, count: 8)
            let head = "Content-Encoding: \(beginning.coding)\r\nContent-Length: \(bytes.count)\r\n\r\n"
            try connection.write(Array("HTTP/1.1 200 OK\r\n\(head)".utf8) + bytes)
        }
        defer { server.stop() }
        let log = EventLog()
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(log)
        #expect(try await log.end.value()?.reason == .malformedResponse)
        // Not in the expectation, which would print both.
        let isWhole = log.data == beginning.content
        #expect(isWhole, "\(log.data.count) bytes")
    }

    /// As much as a decoder makes at a time, twice: nothing is left in it when it is asked again.
    @Test func `A gzip body whose decoded bytes fill the decoder's buffer exactly twice arrives whole`() async throws {
        let text =
            "H4sIAAAAAAACA+3BMQEAAADCoPVP7WENo"
            + String(repeating: "A", count: 169)
            + "Buzc3ofgAAAgA="
        let bytes = try #require(Data(base64Encoded: text))
        #expect(try await result("gzip", Array(bytes)).get().data == Data(count: 2 << 16))
    }

    @Test func `A response body of several concatenated gzip members is decoded whole`() async throws {
        let bytes = Sample.gzip.bytes + Sample.gzip.bytes
        #expect(try await result("gzip", bytes).get().text == Self.text + Self.text)
    }

    @Test(arguments: [
        "identity", "", "IDENTITY", "UTF-8", "none", "binary", "8bit", "aws-chunked", "aws-chunked, identity", ", ,",
        // Codings that are not undone.
        "unknown", "zip", "json", "compress", "gzip, br", "gzip, gzip", "gzip gzip", "gzip, zip",
    ])
    func `A body in no coding, an unknown one or several arrives as it was sent`(coding: String)
        async throws
    {
        #expect(try await Array(result(coding, Sample.gzip.bytes).get().data) == Sample.gzip.bytes)
    }

    @Test(arguments: ["aws-chunked, gzip", "gzip,aws-chunked", "gzip, identity", "UTF-8, x-gzip", "gzip,"])
    func `A body in gzip beside words that are no codings is decoded`(coding: String) async throws {
        #expect(try await result(coding, Sample.gzip.bytes).get().text == Self.text)
    }

    @Test(arguments: ["GZIP", "x-gzip"])
    func `The name of a content coding is case-insensitive, and x-gzip means gzip`(coding: String) async throws {
        #expect(try await result(coding, Sample.gzip.bytes).get().text == Self.text)
    }

    @Test(arguments: Sample.allCases)
    func `A response with a Content-Encoding and zero body bytes is delivered as an empty body`(sample: Sample)
        async throws
    {
        #expect(try await result(sample.coding, []).get().data.isEmpty)
    }

    /// A response is decoded even if the caller has asked for the coding.
    @Test func `A caller's Accept-Encoding replaces the default, and the response is still decoded`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            let bytes = Sample.gzip.bytes
            try connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n")
            try connection.write(bytes)
        }
        defer { server.stop() }
        let request = try ExchangeRequest(port: server.port, headers: ["accept-encoding": "identity"])
        #expect(try await session.reply(to: request).text == Self.text)
        #expect(server.requests.first?.values("Accept-Encoding") == ["identity"])
        _ = try await session.reply(to: ExchangeRequest(port: server.port))
        #expect(server.requests.last?.values("Accept-Encoding").first?.hasPrefix("gzip, deflate") == true)
    }
}
#endif
