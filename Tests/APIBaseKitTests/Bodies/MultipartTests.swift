import APIBaseKit
import Basics
import LoopbackServer
import TestTiers
import Testing

@Suite(.everySession, .limited) struct MultipartTests {
    private struct Received: Sendable {
        var length: String?
        var coding: String?
        var type: String?
        var body = Data()
    }

    /// What a server gets of a form.
    private func sent(_ parts: [MultipartPart]) async throws -> Received {
        let received = Locked(Received())
        let server = try HTTPServer { request in
            received.withLock {
                $0 = Received(
                    length: request.headers.values(for: "Content-Length").first,
                    coding: request.headers.values(for: "Transfer-Encoding").first,
                    type: request.headers.values(for: "Content-Type").first,
                    body: request.body
                )
            }
            return .text("ok")
        }
        defer { server.stop() }
        let call = Call(base: "http://127.0.0.1:\(server.port)")
        call.session = EverySession.current
        call.method = .post
        call.content = .multipart(parts)
        #expect(try await call.value().response.statusCode == 200)
        return received.withLock { $0 }
    }

    private func withFile<Value>(_ name: String, _ data: Data, _ body: (URL) async throws -> Value) async throws
        -> Value
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try data.write(to: file)
        return try await body(file)
    }

    @Test func `The fields, files and streams of a multipart form arrive unchanged at the server`() async throws {
        try await withFile("picture ä.png", Data(repeating: 7, count: 100_000)) { file in
            let received = try await sent([
                MultipartPart(name: "title", value: "Swift & Linux\r\n--"), MultipartPart(name: "empty", value: ""),
                MultipartPart(name: "picture", content: .file(file, type: "image/png")),
                MultipartPart(name: "file", fileName: "other.bin", content: .file(file)),
                MultipartPart(name: "json", type: "application/json", content: .data(Data("{}".utf8))),
                MultipartPart(
                    name: "stream",
                    fileName: "s",
                    content: .stream(count: 3) { InputStream(data: Data("abc".utf8)) }
                ),
            ])
            let picture = Data(repeating: 7, count: 100_000)
            #expect(
                try MultipartParser.parse(received.body, type: received.type) == [
                    .init(name: "title", content: Data("Swift & Linux\r\n--".utf8)),
                    .init(name: "empty", content: Data()),
                    .init(name: "picture", fileName: "picture ä.png", type: "image/png", content: picture),
                    .init(name: "file", fileName: "other.bin", type: "image/png", content: picture),
                    .init(name: "json", type: "application/json", content: Data("{}".utf8)),
                    .init(name: "stream", fileName: "s", type: "application/octet-stream", content: Data("abc".utf8)),
                ]
            )
            #expect(received.length == String(received.body.count))
            #expect(received.coding == nil)
        }
    }

    @Test func `A multipart form with a stream of unknown length arrives whole at the server`() async throws {
        let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let part = MultipartPart(name: "log", content: .stream(count: nil) { InputStream(data: content) })
        let received = try await sent([part, MultipartPart(name: "end", value: "x")])
        #expect(
            try MultipartParser.parse(received.body, type: received.type) == [
                .init(name: "log", content: content), .init(name: "end", content: Data("x".utf8)),
            ]
        )
        // URLSession gets a file of all of it, whose length is known.
        if !(EverySession.current is URLSession) {
            #expect(received.coding == "chunked")
            #expect(received.length == nil)
        }
    }

    @Test func `A multipart form without parts is sent as the closing boundary alone`() async throws {
        let received = try await sent([])
        // RFC 2046 asks for a part; the end alone is what browsers send.
        #expect(received.body.starts(with: Data("--APIBaseKit".utf8)) && received.body.suffix(4) == Data("--\r\n".utf8))
    }

    @Test(arguments: [
        ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("\0\u{1}\t\u{7F}", "%00%01%09%7F"), ("a\\b", "a\\b"),
        ("100%", "100%"),
        ("naïve 日本 🙂", "naïve 日本 🙂"), ("; filename=\"x\"", "; filename=%22x%22"), ("", ""), ("%22", "%22"),
    ])
    func `Names and file names of multipart parts are escaped the way browsers escape them`(
        name: String,
        written: String
    ) async throws {
        let received = try await sent([
            MultipartPart(name: name, fileName: name, type: "a/b", content: .data(Data("x".utf8)))
        ])
        #expect(
            try MultipartParser.parse(received.body, type: received.type)
                == [.init(name: written, fileName: written, type: "a/b", content: Data("x".utf8))]
        )
    }

    @Test func `A lone CR or LF in a multipart field name is sent as %0D%0A, but not in a file name`() async throws {
        let received = try await sent([MultipartPart(name: "a\nb\rc", fileName: "a\nb\rc", content: .data(Data()))])
        let part = try #require(try MultipartParser.parse(received.body, type: received.type).first)
        #expect(part.name == "a%0D%0Ab%0D%0Ac")
        #expect(part.fileName == "a%0Ab%0Dc")
    }

    @Test func `A multipart part whose Content-Type contains a line break fails with invalidRequest`() throws {
        let call = Call()
        call.method = .post
        call.content = .multipart([MultipartPart(name: "a", type: "text/plain\r\nX-Evil: 1", content: .data(Data()))])
        let expected = TransportError.InvalidRequest(.headerValue(name: "Content-Type"), .forbiddenByte(0x0D))
        #expect(throws: RequestError.invalidRequest(expected)) { try call.buildURLRequest() }
    }

    @Test func `Building a request fails with unreadableFile when its body file is missing or a folder`() throws {
        let call = Call()
        call.method = .post
        call.content = .multipart([MultipartPart(name: "a", content: .file(URL(fileURLWithPath: "/no/such/file")))])
        let expected = RequestError.invalidRequest(.init(.body, .unreadableFile))
        #expect(throws: expected) { try call.buildURLRequest() }
        call.content = .file(URL(fileURLWithPath: "/no/such/file"))
        #expect(throws: expected) { try call.buildURLRequest() }
        call.content = .file(FileManager.default.temporaryDirectory)
        #expect(throws: expected) { try call.buildURLRequest() }
    }
}
