#if os(Linux)
import APIBaseInspector
import APIBaseKit
import APIBaseRecording
import APIBaseStubs
import Foundation
import HostileServer
import Testing

/// What is taken from the page into a program or a file.
extension BrowserTests {
    struct Sent: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let prepare: @Sendable (Book) -> Void
    }

    static let requests: [Sent] = [
        Sent(testDescription: "GET with an odd query") {
            $0.queryItems = [
                URLQueryItem(name: "q[]", value: #"a b&c=d'e"%ü{1-3}"#), URLQueryItem(name: "$HOME", value: "`id`!*"),
                URLQueryItem(name: "empty", value: ""), URLQueryItem(name: "none", value: nil),
            ]
            $0.headers["X-Mine"] = #"it's "quoted" \ $HOME `id` !!"#
        },
        Sent(testDescription: "POST of JSON") {
            $0.method = .post
            $0.headers["Content-Type"] = "application/json"
            $0.body = Data("{\"title\":\"O'Hara's \\\"Köln\\\" \\\\ $HOME `id` !!\",\n\t\"a\":[\"@x\"]}\n\n".utf8)
        },
        Sent(testDescription: "PUT of bytes") {
            $0.method = .put
            $0.headers["Content-Type"] = "application/octet-stream"
            $0.body = Data([0x00, 0xFF, 0x0A, 0x27, 0x00])
        },
        Sent(testDescription: "form") {
            $0.method = .post
            $0.content = .form([("title", "Emma & Jane's 100 %"), ("author", "Zoë"), ("empty", "")])
        },
        Sent(testDescription: "HEAD") { $0.method = .head },
        Sent(testDescription: "DELETE") { $0.method = .delete },
    ]

    private static let curl = "/usr/bin/curl"

    /// The program of the call and curl send the same request.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: curl), "There is no curl."), arguments: requests)
    func `The curl command from the inspector's page sends the same request as the call`(_ sent: Sent) async throws {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        _ = try await Book(inspector) {
            $0.baseURL = server.url("/v2")
            sent.prepare($0)
        }
        .value()
        try await withPage { tab in
            try await tab.wait("\(row(1, "status")) === '200'")
            let command = try await tab.text("inspectorPage.curl(inspectorPage.calls()[0].id)")
            let bash = try ChildProcess(URL(fileURLWithPath: "/bin/bash"), ["-c", command])
            #expect(try bash.finish().end == .exit(0), "\(command)")
            let requests = server.requests
            try #require(requests.count == 2)
            #expect(requests[1].requestLine == requests[0].requestLine)
            #expect(requests[1].comparedFields == requests[0].comparedFields)
            #expect(requests[1].body == requests[0].body)
        }
    }

    /// The export has the same entries as a recording of the same calls, and can be replayed.
    @Test
    func `The HAR export of the inspector's page equals a recording of the calls and can be replayed`() async throws {
        stubs.on(.get).answer(.json(#"{"title":"Emma ü","token":"c4n4ry"}"#, headers: ["X-Theirs": "too"]))
        stubs.on(.post).answer(.text("<b>&\r\n", status: 201))
        stubs.on(.put).answer(.status(200, data: Data([0xFF, 0x00])))
        try await withFolder { folder in
            let recording = try Recording(file: folder.appendingPathComponent("a.har"), mode: .once, over: stubs)
            let texts = try await recording.run { try await readBooks() }
            try await withPage { tab in
                try await tab.wait("\(row(3, "status")) === '200'")
                let export = folder.appendingPathComponent("export.har")
                try await Data(tab.text("inspectorPage.har()").utf8).write(to: export)
                let (exported, recorded) = (try entries(of: export), try entries(of: recording.file))
                #expect(exported.count == 3)
                #expect(exported.map { $0["request"] } == recorded.map { $0["request"] })
                #expect(exported.map { $0["response"] } == recorded.map { $0["response"] })
                let replayed = try await Recording(file: export, mode: .replay).run { try await readBooks() }
                #expect(replayed == texts.map { $0.replacing("c4n4ry", with: "REDACTED") })
            }
        }
    }

    /// The page of a recording is one file that loads nothing, and gives its entries back.
    @Test func `The HTML page of a recording loads no other file and exports the same entries`() async throws {
        stubs.on(.get).answer(.json(#"{"title":"</script><!-- Emma ü"}"#))
        stubs.on(.post).answer(.status(404))
        stubs.on(.put).answer(.status(200, data: Data([0xFF, 0x00])))
        try await withFolder { folder in
            let recording = try Recording(file: folder.appendingPathComponent("a.har"), mode: .once, over: stubs)
            try await recording.run { _ = try? await readBooks() }
            let file = folder.appendingPathComponent("a.html")
            try RecordingPage.html(of: recording.file).write(to: file)
            try await Tab.with(file) { tab in
                #expect(try await tab.text("document.getElementById('connection').textContent") == "Recording")
                let recorded = try entries(of: recording.file)
                #expect(recorded.count == 2)
                #expect(try await tab.texts("\(all("#rows .status")).map(e => e.textContent)") == ["200", "✕ 404"])
                try await tab.press("ArrowDown")
                #expect(try await tab.text("document.getElementById('detail').textContent").contains("<!-- Emma ü"))
                let export = folder.appendingPathComponent("export.har")
                try await Data(tab.text("inspectorPage.har()").utf8).write(to: export)
                #expect(try entries(of: export) == recorded)
                #expect(tab.requestedURLs == [file.absoluteString])
                #expect(tab.errors == [])
            }
        }
    }

    /// Three calls: of text, with a form, and of bytes.
    private func readBooks() async throws -> [String] {
        [
            try await Book(inspector) { $0.headers["X-Mine"] = "<b>" }.value(),
            try await Book(inspector) {
                $0.method = .post
                $0.content = .form([("title", "Emma"), ("password", "c4n4ry")])
            }
            .value(),
            try await Book(inspector) {
                $0.method = .put
                $0.headers["Content-Type"] = "application/octet-stream"
                $0.body = Data([0x00, 0xFF])
            }
            .value(),
        ]
    }

    private func entries(of file: URL) throws -> [JSONValue] {
        let har = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
        return try #require(har["log"]?["entries"]?.array)
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}

extension RawRequest {
    /// The header fields, except those that belong to the program that sends it.
    fileprivate var comparedFields: [String] {
        let own = ["host", "accept-encoding", "user-agent", "connection", "content-length"]
        return head.split(separator: "\r\n").dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return parts[0].lowercased() + ":" + parts.dropFirst().joined()
        }
        .filter { line in !own.contains { line.hasPrefix("\($0):") } }
        .sorted()
    }
}
#endif
