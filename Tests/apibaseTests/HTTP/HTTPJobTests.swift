import APIBaseKit
import Basics
import DemoServer
import HostileServer
import LoopbackServer
import TestTiers
import Testing

@testable import apibase

/// The requests and the output of `get URL` and its siblings.
@Suite(.limited) struct HTTPJobTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private func file(_ name: String, _ text: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    /// The request of the command.
    private func request(_ arguments: [String], path: String = "/") async throws -> RawRequest {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        var arguments = arguments
        arguments.insert(server.url(path).absoluteString, at: 1)
        let outcome = await run(arguments)
        #expect(outcome == Outcome(code: 0, output: "", errors: ""))
        return try #require(server.requests.first)
    }

    // MARK: Requests

    @Test
    func `Arguments like Name:value, name==value and name=value become headers, query and JSON body`() async throws {
        defer { remove() }
        let (text, json) = (try file("text", "two\nlines\n"), try file("json", "{\"b\": [1, 2]}\n"))
        let request = try await request(
            [
                "post", "X-One:1", "X-Two: 2", "X-Empty;", "X-File:@\(json)", "q==a b&c", "r==", "s==@\(text)",
                "a=\"ü/\n",
                "n:=1.50", "l:=[true]", "t=@\(text)", "j:=@\(json)", "n:=2",
            ],
            path: "/p?x=1"
        )
        #expect(request.target == "/p?x=1&q=a%20b%26c&r=&s=two%0Alines")
        #expect(request.values("X-One") == ["1"])
        #expect(request.values("X-Two") == ["2"])
        #expect(request.head.contains("\r\nX-Empty:"))
        #expect(request.values("X-File") == ["{\"b\": [1, 2]}"])
        #expect(request.values("Content-Type") == ["application/json"])
        #expect(request.values("Accept") == ["application/json, */*;q=0.5"])
        #expect(request.text == #"{"a":"\"ü/\n","l":[true],"t":"two\nlines\n","j":{"b": [1, 2]}"# + "\n,\"n\":2}")
    }

    @Test func `Accept and Content-Type arguments replace the default headers of HTTP commands`() async throws {
        let request = try await request(["put", "Accept:text/plain", "Content-Type:application/x", "a=b"])
        #expect(request.method == "PUT")
        #expect(request.values("Accept") == ["text/plain"])
        #expect(request.values("Content-Type") == ["application/x"])
        #expect(try await self.request(["get", "accept:"]).values("Accept") == ["*/*"])
    }

    @Test func `The option --form sends name=value arguments as a URL-encoded form`() async throws {
        let request = try await request(["patch", "--form", "a=b c&d", "e=ü"])
        #expect(request.values("Content-Type") == ["application/x-www-form-urlencoded"])
        #expect(request.text == "a=b+c%26d&e=%C3%BC")
    }

    @Test
    func `The option --form sends name@file arguments as multipart with file names and media types`() async throws {
        defer { remove() }
        let path = try file("picture.png", "bytes")
        let request = try await request(["post", "-f", "a=b", "c@\(path)", "d@\(path);type=x/y", "e=@\(path)"])
        #expect(request.values("Content-Type").first?.hasPrefix("multipart/form-data; boundary=") == true)
        for part in [
            "name=\"a\"\r\n\r\nb\r\n",
            "name=\"c\"; filename=\"picture.png\"\r\nContent-Type: image/png\r\n\r\nbytes\r\n",
            "name=\"d\"; filename=\"picture.png\"\r\nContent-Type: x/y\r\n\r\nbytes\r\n", "name=\"e\"\r\n\r\nbytes\r\n",
        ] {
            #expect(request.text.contains(part), "\(part)")
        }
    }

    @Test(arguments: [("body.json", "application/json"), ("body", "application/octet-stream")])
    func `The option --body sends a file with the media type of its file name extension`(name: String, type: String)
        async throws
    {
        defer { remove() }
        let request = try await request(["post", "--body", try file(name, "{}")])
        #expect(request.text == "{}")
        #expect(request.values("Content-Type") == [type])
    }

    @Test func `The options --bearer and --basic of apibase set the Authorization header`() async throws {
        defer { remove() }
        let token = try file("token", "geheim\n")
        let bearer = try await request(["get", "--bearer", "file:\(token)"])
        #expect(bearer.values("Authorization") == ["Bearer geheim"])
        let basic = try await request(["delete", "--basic", "user:pass:word"])
        #expect(basic.method == "DELETE")
        #expect(basic.values("Authorization") == ["Basic dXNlcjpwYXNzOndvcmQ="])
    }

    // MARK: Output

    /// The outcome of the command for a response.
    private func outcome(
        _ answer: String,
        _ arguments: [String] = [],
        method: String = "get",
        on terminal: Terminal? = nil
    ) async throws -> Outcome {
        let server = try ScriptedServer(always: answer)
        defer { server.stop() }
        return await run([method, server.url().absoluteString] + arguments, on: terminal)
    }

    @Test
    func `The get command writes the unchanged bytes of the response body when its output is a pipe`() async throws {
        let body = "{ \"a\":1,\r\n\u{1B}\"b\":2}"
        #expect(try await outcome(reply(body: body)) == Outcome(code: 0, output: body, errors: ""))
    }

    @Test
    func `The get command on a terminal formats JSON, escapes control characters and omits binary bodies`() async throws
    {
        let answer = reply(body: #"{"a":1}"#)
        let colors = try await outcome(answer, on: .make())
        #expect(colors.output == "{\n  \u{1B}[34m\"a\"\u{1B}[0m: \u{1B}[33m1\u{1B}[0m\n}\n")
        #expect(try await outcome(answer, on: .make(hasColors: false)).output == "{\n  \"a\": 1\n}\n")
        let text = try await outcome(reply(body: "a\r\n\u{1B}[31mb\n"), on: .make())
        #expect(text.output == "a\n\\u001B[31mb\n")
        let binary = try await outcome(reply(body: "a\0b"), on: .make())
        #expect(binary.output.isEmpty)
        #expect(binary.errors == "apibase: The body is not text: 3 B. Save it with --output FILE.\n")
    }

    @Test(arguments: [
        ("200 OK", 0), ("304 Not Modified", 0), ("404 Not Found", 4), ("499 X", 4), ("500 X", 5), ("599 X", 5),
    ])
    func `The get command exits with 4 for a 4xx response and with 5 for a 5xx response`(status: String, code: Int32)
        async throws
    {
        let isBodiless = status.hasPrefix("304")
        let outcome = try await outcome(reply(status, body: isBodiless ? "" : "why"))
        #expect(outcome.code == code)
        #expect(outcome.output == (isBodiless ? "" : "why"))
        #expect(outcome.errors.contains("has status \(status.prefix(3)).\n") == (code != 0))
    }

    @Test func `The option --pretty formats JSON even for a pipe and leaves other text unchanged`() async throws {
        let json = "{\n  \"a\": [\n    1\n  ]\n}\n"
        #expect(try await outcome(reply(body: #"{"a":[1]}"#), ["--pretty"]).output == json)
        #expect(try await outcome(reply("404 Not Found", body: #"{"a":[1]}"#), ["--pretty"]).output == json)
        #expect(try await outcome(reply(body: "a\r\n\u{1B}b"), ["--pretty"]).output == "a\r\n\u{1B}b")
    }

    @Test func `The option -v prints the response headers in the order in which the server sent them`() async throws {
        let fields = ["X-Two: 2", "X-One: 1", "A-Three: 3", "X-One: 4", "Content-Length: 0"]
        let answer = (["HTTP/1.1 200 OK"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
        let lines = try await outcome(answer, ["-v"]).errors.split(separator: "\n").filter { $0.hasPrefix("  < ") }
        #expect(lines.map { String($0.dropFirst(4)) } == fields)
    }

    @Test
    func `The head command and get with the option -i print the status and headers of the response`() async throws {
        let head = "HTTP/1.1 200\nX-One: 1\nX-One: 2\nContent-Length: 5\n\n"
        let answer = "HTTP/1.1 200 OK\r\nX-One: 1\r\nX-One: 2\r\nContent-Length: 5\r\n\r\n"
        #expect(try await outcome(answer, method: "head").output == head)
        #expect(try await outcome(answer + "hello", ["-i"]).output == head + "hello")
    }

    @Test func `The option -o replaces an existing file only if the response has a success status`() async throws {
        defer { remove() }
        let path = try file("out", "old")
        let refused = try await outcome(reply("404 Not Found", body: "why"), ["-o", path])
        #expect(refused.output == "why")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        let outcome = try await outcome(reply(body: "new"), ["-o", path])
        #expect(outcome == Outcome(code: 0, output: "", errors: ""))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        let shown = try await self.outcome(reply(body: "newer"), ["-o", path], on: .make(60))
        #expect(shown.output.isEmpty)
        #expect(shown.errors.contains("out: 5 B in 0:"))
    }

    @Test func `The get command follows a redirect unless --no-redirects is given`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            let isFirst = request.target == "/"
            try connection.write(isFirst ? reply("302 Found", ["Location: /there"]) : reply(body: "there"))
        }
        defer { server.stop() }
        let url = server.url().absoluteString
        #expect(await run("get", url).output == "there")
        #expect(await run("get", url, "--no-redirects", "-i").output.hasPrefix("HTTP/1.1 302\nLocation: /there\n"))
    }

    @Test
    func `The get command reports each retry with --retry and the duration of each phase with --timings`() async throws
    {
        let server = try ScriptedServer { _, connection, index in
            try connection.write(index == 0 ? reply("503 Busy", ["Retry-After: 0"]) : reply(body: "at last"))
        }
        defer { server.stop() }
        let outcome = await run("get", server.url().absoluteString, "--retry", "1", "--timings")
        #expect(outcome.code == 0)
        #expect(outcome.output == "at last")
        #expect(outcome.errors.contains(" 503, again in 0"))
        #expect(outcome.errors.contains("\nfirst byte "))
        #expect(outcome.errors.contains("\nwhole "))
        #expect(server.requests.count == 2)
    }

    @Test func `Secrets in the arguments of apibase are not in what -v and --curl print`() async throws {
        let arguments = ["--bearer", "geheim", "X-Api-Key:geheim", "password=geheim", "api_key==geheim", "name=open"]
        let verbose = try await outcome(reply(body: "{}"), arguments + ["-v"], method: "post")
        #expect(verbose.output == "{}")
        #expect(verbose.errors.contains("  > Authorization: REDACTED\n"))
        let curl = await run(["post", "http://127.0.0.1:1/", "--curl"] + arguments)
        #expect(curl.code == 0)
        #expect(curl.output.hasPrefix("curl "))
        #expect(curl.output.contains("open"))
        for text in [verbose.errors, curl.output, curl.errors] { #expect(!text.contains("geheim")) }
    }

    @Test(
        arguments: [
            ("get http://127.0.0.1:1", 1), ("get http://127.0.0.1:1/a/../b", 2), ("get http://u:p@127.0.0.1:1", 2),
            ("get :1 Host:a", 2), ("get :1 a,b:c", 2), ("post :1 --body /nothing/there", 2),
            ("post :1 a=@/nothing/there", 2), ("get :1 --bearer env:APIBASE_NOT_THERE", 2), ("get :1 --basic user", 2),
            ("get :1 --curl Host:a", 2), ("get :1 --replay /nothing/there", 1),
        ] as [(String, Int32)]
    )
    func `A failing HTTP command exits with 2 for wrong arguments, else with 1, and prints its error`(
        line: String,
        code: Int32
    ) async {
        let outcome = await run(line.split(separator: " ").map(String.init))
        #expect(outcome.code == code)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("apibase: "))
        #expect(!outcome.errors.contains("u:p"))
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 1 || lines.dropFirst() == ["Try “apibase \(line.prefix { $0 != " " }) --help”."])
    }

    @Test(
        arguments: [
            ["post", ":1", "-f", "photo@/nothing/a.png;type=x/y"]: "“photo@” cannot be read: /nothing/a.png",
            ["post", ":1", "--body", "/nothing/b"]: "“FILE” cannot be read: /nothing/b",
            ["upload", "/nothing/c", ":1"]: "“FILE” cannot be read: /nothing/c",
        ]
    )
    func `HTTP commands exit with 2 and name the file when a body or upload file cannot be read`(
        arguments: [String],
        part: String
    ) async {
        let outcome = await run(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("apibase: the value of \(part) is not a readable file.\n"))
    }

    /// As where a variable in its path is not set: the call must not go out without the header.
    @Test func `The header argument Name:@ without a file name exits with 2`() async {
        let outcome = await run("get", ":1", "Authorization:@")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("“Authorization:@”"))
        #expect(outcome.errors.contains("is not a readable text file"))
    }

    @Test func `The get command exits with 1 when no response arrives within the seconds of --timeout`() async throws {
        let server = try ScriptedServer { _, connection, _ in connection.waitForTheEnd() }
        defer { server.stop() }
        let outcome = await run("get", server.url().absoluteString, "--timeout", "0.2")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("0.2"))
    }

    @Test func `A get request that is replayed from its recording gives the same output`() async throws {
        defer { remove() }
        let path = try file("call.har", "")
        let server = DemoAPIServer()
        let url = try server.start().absoluteString
        let call = ["get", url + "/jsonplaceholder/users/1"]
        let live = await run(call + ["--record", path])
        server.stop()
        #expect(live.code == 0)
        #expect(live.output.contains("User 1"))
        #expect(await run(call + ["--replay", path]) == live)
    }
}

extension RawRequest {
    /// The body as text.
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
