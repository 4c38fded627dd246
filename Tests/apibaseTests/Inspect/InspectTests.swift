import APIBaseKit
import HostileServer
import TestTiers
import Testing

@testable import apibase

/// `inspect`, and `--inspect`.
@Suite(.limited) struct InspectTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inspect-\(UUID().uuidString)")
    private var recording: String { folder.appendingPathComponent("session.har").path }
    private var page: String { folder.appendingPathComponent("a page.html").path }

    @Test func `The inspect command saves a recording as an HTML page that only the user can read`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await run("record", "--out", recording, "users", "3").code == 0)
        let outcome = await run("inspect", recording, "--save", page)
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.output.hasPrefix("The page is at file://"))
        #expect(outcome.output.contains("/a%20page.html"))
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.hasPrefix("<!DOCTYPE html>"))
        #expect(html.contains("/jsonplaceholder/users/3"))
        let mode = try FileManager.default.attributesOfItem(atPath: page)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// As tools write requests that failed, and entries that they could not read.
    @Test(arguments: [
        ("null", false), ("{}", false), (#"{"response": {"status": 200}}"#, false),
        (#"{"request": {"method": "GET", "url": "http://[/odd"}, "response": {"status": 200}}"#, false),
        (#"{"request": {"method": "GET", "url": "http://a.example/odd"}}"#, true),
        (#"{"request": {"method": "GET", "url": "http://a.example/odd"}, "response": null}"#, true),
        (#"{"request": {"method": "GET", "url": "http://a.example/odd"}, "response": {"status": ""}}"#, true),
        (
            #"{"request": {"method": "GET", "url": "http://a.example/odd"}, "response": {"status": 0}, "time": null}"#,
            true
        ),
        (
            #"{"request": {"method": "GET", "url": "http://a.example/odd"}, "timings": 7, "startedDateTime": 1, "#
                + #""response": {"status": 200, "content": {"text": "***", "encoding": "base64"}}}"#, true
        ),
    ])
    func `The inspect command shows a recording with odd entries, also those without a response`(
        entry: String,
        isShown: Bool
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let good = #"{"request": {"method": "GET", "url": "http://a.example/good"}, "response": {"status": 200}}"#
        try Data(#"{"log": {"entries": [\#(entry), \#(good)]}}"#.utf8).write(to: URL(fileURLWithPath: recording))
        let outcome = await run("inspect", recording, "--save", page)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("http://a.example/good"))
        #expect(html.contains("/odd") == isShown)
    }

    @Test func `The inspect command without --save writes the HTML page to a temporary file`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await run("record", "--out", recording, "users", "3").code == 0)
        let outcome = await run("inspect", recording)
        let url = try #require(
            URL(string: outcome.output.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) } ?? "")
        )
        #expect(url.lastPathComponent.contains(/^apibase-session-[0-9A-F]{8}\.html$/))
        #expect(try Data(contentsOf: url).count > 10_000)
        try FileManager.default.removeItem(at: url)
    }

    @Test(arguments: [
        (["inspect"], 2, "The recording is missing"), (["inspect", "a.har", "b.har"], 2, "one argument too many"),
        (["inspect", "a.har", "--save="], 2, "expected the path of a file"),
        (["inspect", "/nowhere/a.har"], 1, "There is no file at /nowhere/a.har."),
        (["record", "--out", "a.har", "inspect", "b.har"], 2, "cannot be combined"),
        (["serve", "--inspect"], 2, "no option “--inspect”"),
    ])
    func `Wrong inspect arguments exit with 2 and the reason, and a missing recording exits with 1`(
        arguments: [String],
        code: Int,
        message: String
    ) async {
        let outcome = await run(arguments)
        #expect(outcome.code == Int32(code))
        #expect(outcome.errors.contains(message))
    }

    @Test
    func `The inspect command exits with 1 if it cannot write the page, or 2 if --save is the recording`() async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await run("record", "--out", recording, "users", "3").code == 0)
        let outcome = await run("inspect", recording, "--save", "/nowhere/page.html")
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("apibase: /nowhere/page.html cannot be written: "))
        // Neither is the recording replaced, nor what is not a file.
        let itself = await run("inspect", recording, "--save", recording)
        #expect(itself.code == 2)
        #expect(try String(contentsOfFile: recording, encoding: .utf8).hasPrefix("{"))
        #expect(await run("inspect", recording, "--save", folder.path).code == 1)
    }

    #if os(Linux)
    /// The calls of a command are on its page until Control-C; then the command ends with the code of its job.
    @Test(arguments: [(["users", "3"], 0, "UserRequest"), (["get", "http://127.0.0.1:1/"], 1, "HTTPCall")])
    func `A command with --inspect serves a page of its calls until Control-C, then exits with its own code`(
        arguments: [String],
        code: Int32,
        name: String
    ) async throws {
        let child = try ChildProcess(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", "exec '\(PseudoTerminal.program.path)' \(arguments.joined(separator: " ")) --inspect 2>&1"]
        )
        defer { child.send(SIGKILL) }
        // Up to the line after the URL.
        let output = try await aside {
            var bytes = Data()
            while !bytes.suffix(40).contains(Data("Control-C".utf8)) {
                bytes += try #require(try child.output.read(upToCount: 1))
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let match = try #require(
            output.firstMatch(of: /Calls are shown at (http:\/\/127\.0\.0\.1:\d+\/)#k=([0-9a-f]{32})/)
        )
        let page = JSONAPI()
        page.baseURL = URL(string: String(match.1))
        page.path = "events"
        page.authorization = .bearer(String(match.2))
        for try await event in page.eachEvent() where event.data.contains("\"\(name)\"") { break }
        child.send(SIGINT)
        let end = try await aside { try child.finish().end }
        #expect(end == .exit(code))
    }
    #endif
}
