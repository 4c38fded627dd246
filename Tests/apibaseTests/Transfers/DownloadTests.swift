import APIBaseKit
import HostileServer
import LoopbackServer
import TestTiers
import Testing

@testable import apibase

/// The files and exit codes of `download`.
@Suite(.limited) struct DownloadTests {
    @Test func `The download command saves six files under their own names in the folder of --out`() async throws {
        let lab = try Lab()
        let urls = (1...6).map { lab.file("f\($0).bin", "size=\($0 * 10_000)") }
        let outcome = await run(["download"] + urls + ["--out", lab.folder.path])
        #expect(outcome.code == 0)
        #expect(outcome.output.isEmpty)
        for (index, url) in urls.enumerated() {
            #expect(try await lab.data("f\(index + 1).bin") == lab.fetched(url))
            #expect(outcome.errors.contains("f\(index + 1).bin: \(index + 1)0.0 kB in 0:"))
        }
        #expect(try lab.names.count == 6)
    }

    @Test func `The download command saves a single file as --out, or into it if it ends with a slash`() async throws {
        let lab = try Lab()
        let url = lab.file("a.bin", "size=10")
        #expect(await run("download", url, "--out", lab.path("b")).code == 0)
        #expect(await run("download", url, "--out", lab.folder.path + "/").code == 0)
        #expect(try lab.names == ["a.bin", "b"])
        #expect(await run("download", url, lab.file("b.bin", "size=10"), "--out", lab.path("new")).code == 0)
        #expect(try lab.names == ["a.bin", "b", "new"])
    }

    @Test func `The download command sends its header, query and --bearer arguments with every request`() async throws {
        let lab = try Lab()
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        let urls = [server.url("/a").absoluteString, server.url("/b").absoluteString]
        let outcome = await run(["download"] + urls + ["X-One:1", "q==2", "--bearer", "t", "--out", lab.folder.path])
        #expect(outcome.code == 0)
        #expect(Set(server.requests.map(\.target)) == ["/a?q=2", "/b?q=2"])
        for request in server.requests {
            #expect(request.values("X-One") == ["1"])
            #expect(request.values("Authorization") == ["Bearer t"])
            #expect(request.values("Accept") == ["*/*"])
        }
    }

    @Test
    func `The download command continues after failed downloads and then exits with 5 for a 404 and a 500`()
        async throws
    {
        let lab = try Lab()
        let urls = ["\(lab.url)/lab/status/404", "\(lab.url)/lab/status/500", lab.file("a.bin", "size=10")]
        let outcome = await run(["download"] + urls + ["--out", lab.folder.path])
        #expect(outcome.code == 5)
        #expect(try lab.names == ["a.bin"])
        #expect(outcome.errors.contains("apibase: 404: The response from \(lab.url)/lab/status/404 has status 404."))
        #expect(outcome.errors.contains("apibase: 500: "))
        #expect(outcome.errors.contains("a.bin: 10 B in 0:"))
    }

    @Test func `The download command with --retry tries again after a 503 response`() async throws {
        let lab = try Lab()
        let url = "\(lab.url)/lab/status/503?times=1&retryAfter=0"
        let outcome = await run("download", url, "--out", lab.path("a"), "--retry", "1")
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains(" 503, again in 0"))
    }

    @Test
    func `The download command resumes a file that the server cut off, even after another failed call`() async throws {
        let lab = try Lab()
        let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        let server = try ScriptedServer { _, connection, index in
            let tag = "ETag: \"1\"\r\n"
            switch index {
            case 0:
                try connection.write("HTTP/1.1 200 OK\r\n\(tag)Content-Length: 40000\r\n\r\n")
                try connection.write(Array(bytes[..<25_000]))
            case 1: break
            default:
                let range = "Content-Range: bytes 25000-39999/40000\r\n"
                try connection.write("HTTP/1.1 206 Partial Content\r\n\(tag)\(range)Content-Length: 15000\r\n\r\n")
                try connection.write(Array(bytes[25_000...]))
            }
            connection.close()
        }
        defer { server.stop() }
        let call = ["download", server.url("/a").absoluteString, "--out", lab.folder.path + "/"]
        for _ in 0..<2 {
            let outcome = await run(call)
            #expect(outcome.code == 1)
            #expect(outcome.errors.split(separator: "\n").count == 1)
            #expect(try lab.names == ["a.partial", "a.partial-info"])
            #expect(try lab.data("a.partial") == Data(bytes[..<25_000]))
        }
        let last = await run(call + ["-v"])
        #expect(last.code == 0)
        #expect(last.errors.contains("> Range: bytes=25000-\n"))
        #expect(try lab.data("a") == Data(bytes))
        #expect(server.requests.count == 3)
    }

    @Test(arguments: ["/nowhere/at/all", "/nowhere/at/all/", "/dev/full"])
    func `The download command exits with 1 and one line of error if the file cannot be written`(place: String)
        async throws
    {
        let lab = try Lab()
        let one = await run("download", lab.file("a", "size=1"), "--out", place)
        let two = await run("download", lab.file("a", "size=1"), lab.file("b", "size=1"), "--out", place)
        for outcome in [one, two] {
            #expect(outcome.code == 1)
            #expect(outcome.errors.hasPrefix("apibase: "))
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: "/dev/full.partial"))
    }

    @Test(
        arguments: [
            ["SERVER/a", "b=c"]: "“b=…” is not valid for “download”: expected no body; use b==… for a query item.",
            ["SERVER/a", "--out"]: "the option “--out” needs a value.", []: "The URL is missing.",
            ["SERVER/a", "--bearer", "env:APIBASE_NO"]:
                "the value of “--bearer” cannot be read: there is no variable APIBASE_NO.",
        ]
    )
    func `Wrong arguments of the download command exit with 2 before it connects to the server`(
        arguments: [String],
        error: String
    ) async throws {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let url = server.url("").absoluteString
        let outcome = await run(["download"] + arguments.map { $0.replacing("SERVER", with: url) })
        #expect(outcome.code == 2)
        #expect(outcome.errors == "apibase: \(error.replacing("SERVER", with: url))\nTry “apibase download --help”.\n")
        #expect(server.connections == 0)
    }

    @Test func `The download command takes arguments after its first URL as further URLs or request items`() throws {
        let words = ["download", "h/a", "h/b", ":80/c", "http://h/d?x==y", "localhost:1/e", "a:b", "c==d"]
        let job = try #require(try Invocation(words).job as? DownloadJob)
        #expect(
            job.requests.map(\.url.absoluteString)
                == ["https://h/a", "https://h/b", "http://localhost:80/c", "http://h/d?x==y", "http://localhost:1/e"]
        )
        #expect(job.requests.allSatisfy { $0.items.items.count == 2 })
    }

    @Test
    func `The download command decodes file names from URLs, replaces unsafe characters, avoids duplicates`() throws {
        let names: [(String, String?)] = [
            ("http://h/a.bin?b=c", "a.bin"), ("http://h/a%20b", "a b"), ("http://h/a/", nil), ("http://h", nil),
            ("http://h/%2E%2E", nil), ("http://h/a%0Ab", "a_b"),
        ]
        for (url, name) in names { #expect(try FileNames.name(of: #require(URL(string: url))) == name, "\(url)") }
        #expect(FileNames.safe("a/../b") == "a_.._b")
        #expect(FileNames.safe("a\u{202E}gpj.exe") == "a_gpj.exe")
        #expect(FileNames.distinct(["a", "a.b", "a", "a.b", "a-2"]) == ["a", "a.b", "a-2", "a-2.b", "a-2-2"])
    }
}
