import APIBaseKit
import Basics
import Foundation
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// What a shell makes of the text, next to what the kit itself sends.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "the command curl runs the text"),
    .limited
) struct CurlCommandTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var setUp: @Sendable (Call) throws -> Void
        /// What the shell gets to read.
        var input = Data()

        var testDescription: String { name }
    }

    static let odd = "a'b\"c\\d$e`f!g;h&i|j<k>l*m?n[o]p{q}r(s)t#u~v%w=x,y z\u{7F}\u{FC}\u{1F600}"
    static let headerText = "a'b\"c\\d$e`f!g;h&i|j<k>l*m?n[o]p{q}r(s)t#u~v%w=x,y z"

    static let rows: [Row] = [
        Row(name: "nothing") { _ in },
        Row(name: "HEAD") { $0.method = .head },
        Row(name: "DELETE") { $0.method = .delete },
        Row(name: "OPTIONS") { $0.method = .options },
        Row(name: "another method") { $0.method = HTTPMethod(rawValue: "M-SEARCH'") },
        Row(name: "a POST without a body") { $0.method = .post },
        Row(name: "a PUT without a body") { $0.method = .put },
        Row(name: "a path") { $0.path = "/a/\(segment: headerText)/b[1]{2}" },
        Row(name: "a query") {
            $0.queryItems = [URLQueryItem(name: odd, value: odd), URLQueryItem(name: "a", value: nil)]
        },
        Row(name: "headers") { call in
            call.headers["X-Odd"] = headerText
            call.headers["X-Empty"] = ""
            call.headers["X-At"] = "@/etc/hostname"
            call.headers["User-Agent"] = "me"
            call.headers["Accept"] = "a/b, c/*"
            call.headers["Accept-Encoding"] = "identity"
        },
        Row(name: "QUERY") { call in
            call.method = .query
            call.content = .data(Data("select 'a'".utf8), type: "application/sql")
        },
        Row(name: "QUERY of nothing") { call in
            call.method = .query
            call.content = .data(Data(), type: "application/sql")
        },
        Row(name: "text") { call in
            call.method = .post
            call.contentType = "text/plain"
            call.body = Data(odd.utf8)
        },
        Row(name: "more text than a system takes as one argument") { call in
            call.method = .post
            call.contentType = "text/plain"
            call.body = Data(repeating: UInt8(ascii: "x"), count: 200_000)
        },
        Row(name: "lines") { call in
            call.method = .put
            call.body = Data("a\nb\r\nc\n\n".utf8)
        },
        Row(name: "text that looks like a file's name") { call in
            call.method = .post
            call.body = Data("@/etc/hostname".utf8)
        },
        Row(name: "quotation marks with accents, and a command behind them") { call in
            call.method = .post
            call.body = Data("'\u{301}; exit 3 #".utf8)
        },
        Row(name: "an accent that hides the mark of a file") { call in
            call.method = .post
            call.body = Data("@\u{301}/etc/hostname".utf8)
        },
        Row(name: "text that looks like an option") { call in
            call.method = .post
            call.body = Data("--help".utf8)
        },
        Row(name: "POST without a body") { $0.method = .post },
        Row(name: "PUT without a body") { $0.method = .put },
        Row(name: "a body with DELETE") { call in
            call.method = .delete
            call.body = Data("x".utf8)
        },
        Row(name: "all bytes") { call in
            call.method = .post
            call.body = Data((0...255).map { UInt8($0) } + [0x25, 0x64, 0x5C, 0x6E])
        },
        Row(name: "more than an argument holds") { call in
            call.method = .post
            call.body = Data(repeating: 0x61, count: 300_000)
        },
        Row(name: "JSON") { call in
            call.method = .patch
            call.contentType = "application/json"
            call.body = Data(#"{"title": "it's \"\u00fc\"", "n": 1.50}"#.utf8)
        },
        Row(name: "a form") { call in
            call.method = .post
            call.content = .form([("a b", odd), ("c", "")])
        },
        Row(name: "a file") { call in
            call.method = .post
            call.content = .file(try file("it's a file"), type: "a/b")
        },
        Row(name: "a form with files") { call in
            call.method = .post
            call.content = .multipart([
                MultipartPart(name: "it's", content: .data(Data(odd.utf8))),
                MultipartPart(name: "file", fileName: odd, content: .file(try file("file"), type: "a/b")),
                MultipartPart(name: "last", content: .data(Data([0, 1, 0xFF]))),
            ])
        },
        Row(
            name: "a stream",
            setUp: { call in
                call.method = .post
                call.content = .stream(count: nil) { InputStream(data: Data("streamed".utf8)) }
            },
            input: Data("streamed".utf8)
        ),
    ]

    /// A file with bytes of its own; its name has odd characters.
    private static func file(_ text: String) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("it's \(UUID()) $HOME")
        try (Data(text.utf8) + Data([0, 0xFF])).write(to: url)
        return url
    }

    @Test(arguments: rows)
    func `A shell that runs the curlText of a call sends the same request as the call`(_ row: Row) async throws {
        let server = try ScriptedServer(reading: { head, connection, _ in
            guard head["Transfer-Encoding"] != nil else { return try connection.readBody(of: head) }
            var request = head
            while case let chunk = try connection.readChunk(), !chunk.isEmpty { request.body += chunk }
            return request
        }) { request, connection, _ in
            let isHead = request.method == "HEAD"
            try connection.write(isHead ? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" : reply(body: "ok"))
        }
        defer { server.stop() }
        let call = Call(base: "http://127.0.0.1:\(server.port)")
        try row.setUp(call)
        let text = call.curlText
        _ = try await call.value()
        try await Self.run(text, input: row.input)
        let requests = server.requests
        try #require(requests.count == 2, "\(text)")
        #expect(requests[0].requestLine == requests[1].requestLine)
        #expect(requests[0].body == requests[1].body)
        let isStream = !row.input.isEmpty
        #expect(
            Self.headers(of: requests[0], isStream: isStream) == Self.headers(of: requests[1], isStream: isStream),
            "\(text)"
        )
    }

    @Test func `The curlText of a request that cannot be built is a one-line comment that says so`() async throws {
        let call = Call(base: "ftp://api.example")
        call.headers["X"] = "a"
        #expect(call.curlText.hasPrefix("# The request cannot be built: "))
        #expect(!call.curlText.contains("\n"))
    }

    @Test func `The curlText of a call has one curl option per line and REDACTED in place of secrets`() async throws {
        let call = Call(base: "http://api.example/v1", "/books")
        call.method = .post
        call.queryItems = [URLQueryItem(name: "page", value: "2"), URLQueryItem(name: "token", value: "canary")]
        call.headers["Accept"] = "application/json"
        call.authorization = .bearer("canary")
        call.contentType = "application/json"
        call.body = Data(#"{"title": "it's", "password": "canary"}"#.utf8)
        #expect(
            call.curlText == #"""
                curl --globoff --path-as-is --url 'http://api.example/v1/books?page=2&token=REDACTED' \
                  --compressed \
                  --header 'Accept: application/json' \
                  --header 'Authorization: REDACTED' \
                  --header 'Content-Type: application/json' \
                  --header 'User-Agent: \#(PackageVersion.product)' \
                  --header 'Expect:' \
                  --data-binary '{"title": "it'\''s", "password": "REDACTED"}'
                """#
        )
    }

    /// Runs the text as a shell of POSIX does.
    private static func run(_ text: String, input: Data) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // An argument could not hold all of it.
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sh")
        try Data(text.utf8).write(to: script)
        defer { try? FileManager.default.removeItem(at: script) }
        process.arguments = [script.path]
        // Its own settings and proxies take no part.
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "CURL_HOME": "/nonexistent"]
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let isDone = Later<Int32>()
        process.terminationHandler = { isDone.set($0.terminationStatus) }
        try process.run()
        try? pipe.fileHandleForWriting.write(contentsOf: input)
        try? pipe.fileHandleForWriting.close()
        #expect(try await isDone.value(within: 60) == 0, "\(text)")
    }

    /// The headers, but for what tells the two apart by intention: how a body comes that is not in memory, and which codings
    /// each can undo.
    private static func headers(of request: RawRequest, isStream: Bool) -> [String] {
        let different = ["Accept-Encoding"] + (isStream ? ["Content-Length", "Transfer-Encoding"] : [])
        return request.head.components(separatedBy: "\r\n").dropFirst().filter { line in
            !line.isEmpty && !different.contains { line.hasPrefix($0 + ":") }
        }.sorted()
    }
}
