import APIBaseKit
import HostileServer
import TestTiers
import Testing

@testable import apibase

@Suite(.limited) struct UploadTests {
    @Test func `The upload command sends the file and shows the response and the progress`() async throws {
        let lab = try Lab()
        try Data(repeating: 7, count: 300_000).write(to: lab.folder.appendingPathComponent("a.png"))
        let url = "\(lab.url)/lab/uploads/a"
        let outcome = await run("upload", lab.path("a.png"), url)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains(#""bytes":300000"#))
        #expect(outcome.output.contains(#""type":"image/png""#) || outcome.output.contains(#""type":"image\/png""#))
        #expect(outcome.errors.hasPrefix("a.png: 300.0 kB in 0:"))
        let shown = await run(["upload", lab.path("a.png"), url], on: .make(60))
        #expect(shown.output.contains("\u{1B}[34m\"bytes\"\u{1B}[0m: \u{1B}[33m300000"))
        #expect(shown.errors.contains("█"))
        #expect(shown.errors.contains("a.png: 300.0 kB in 0:"))
    }

    @Test(arguments: [([], "PUT"), (["--post"], "POST")])
    func `The upload command sends PUT, or POST with the option --post`(options: [String], method: String) async throws
    {
        let lab = try Lab()
        try Data("text".utf8).write(to: lab.folder.appendingPathComponent("a"))
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let call = ["upload", lab.path("a"), server.url().absoluteString, "X-One:1", "Content-Type:a/b", "q==1"]
        #expect(await run(call + options).code == 0)
        let request = try #require(server.requests.first)
        #expect(request.method == method)
        #expect(request.target == "/?q=1")
        #expect(request.body == Array("text".utf8))
        #expect(request.values("Content-Type") == ["a/b"])
        #expect(request.values("X-One") == ["1"])
    }

    @Test
    func `The upload command exits with 4 for a 404 response and prints no line for a complete upload`() async throws {
        let lab = try Lab()
        try Data("text".utf8).write(to: lab.folder.appendingPathComponent("a"))
        let outcome = await run("upload", lab.path("a"), "\(lab.url)/nowhere")
        #expect(outcome.code == 4)
        #expect(!outcome.errors.contains(" in 0:"))
        #expect(outcome.errors.hasSuffix("has status 404.\n"))
    }

    @Test func `Wrong arguments of the upload command exit with 2 and an error`() async throws {
        for arguments in [[], ["/f"], ["/nothing/there", ":1"], ["/f", ":1", "a=b"]] {
            let outcome = await run(["upload"] + arguments)
            #expect(outcome.code == 2, "\(arguments)")
            #expect(outcome.errors.hasPrefix("apibase: "))
        }
    }
}
