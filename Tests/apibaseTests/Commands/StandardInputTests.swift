import APIBaseKit
import Basics
import HostileServer
import TestTiers
import Testing

@testable import apibase

/// The standard input as the body of a request.
@Suite(.limited) struct StandardInputTests {
    /// A closed pipe with a text.
    private func pipe(_ text: String) throws -> Pipe {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        return pipe
    }

    /// The reading end of a pipe as input. However slow the machine is, there is no message that it has not ended.
    private func input(_ pipe: Pipe) -> Input {
        Input(pipe.fileHandleForReading.fileDescriptor, noticeDelay: .seconds(600))
    }

    /// The request of a command with that input.
    private func request(_ arguments: [String], _ input: Input?) async throws -> RawRequest {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        var arguments = arguments
        arguments.insert(server.url().absoluteString, at: 1)
        #expect(await run(arguments, input: input) == Outcome(code: 0, output: "", errors: ""))
        return try #require(server.requests.first)
    }

    @Test(arguments: [
        ("post", #"{"a": 1}"#, "application/json"), ("put", "text", "application/octet-stream"),
        ("patch", "[]\n", "application/json"), ("query", "[]\n", "application/json"),
    ])
    func `Piped input is the request body of post, put, patch and query if no item or option gives one`(
        command: String,
        text: String,
        type: String
    ) async throws {
        let pipe = try pipe(text)
        let request = try await request([command, "X-One:1"], input(pipe))
        #expect(String(decoding: request.body, as: UTF8.self) == text)
        #expect(request.values("Content-Type") == [type])
    }

    @Test(
        arguments: [
            ["post", "a=b"], ["post", "--ignore-stdin"], ["post", "--form"], ["get"], ["delete"],
        ]
    )
    func `Piped input is not read for get or delete, with --ignore-stdin or --form, or with body items`(
        arguments: [String]
    )
        async throws
    {
        let pipe = try pipe("rest")
        let request = try await request(arguments, input(pipe))
        #expect(!request.body.contains(UInt8(ascii: "r")))
        // An empty form is a form.
        if request.body.isEmpty, !arguments.contains("--form") { #expect(request.values("Content-Type").isEmpty) }
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("rest".utf8))
    }

    @Test(arguments: ["text", ""])
    func `The query command needs a Content-Type for what is no JSON`(text: String) async throws {
        let pipes = [try pipe(text), try pipe(text)]
        let outcome = await run(["query", "http://127.0.0.1:1"], input: input(pipes[0]))
        #expect(outcome.code != 0)
        #expect(outcome.errors.contains("Content-Type is missing"))
        let typed = try await request(["query", "Content-Type:application/sql"], input(pipes[1]))
        #expect(typed.values("Content-Type") == ["application/sql"])
    }

    @Test func `Empty piped input makes the post command send a request without a body`() async throws {
        let pipe = try pipe("")
        let request = try await request(["post"], input(pipe))
        #expect(request.body.isEmpty)
        #expect(request.values("Content-Type") != ["application/json"])
    }

    @Test func `A file as standard input is the request body, but a device or closed input is not`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("{}".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forReadingFrom: file)
        #expect(
            try await request(["post"], Input(handle.fileDescriptor, noticeDelay: .seconds(600))).body
                == Array("{}".utf8)
        )
        let device = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        #expect(!Input(device.fileDescriptor).isRedirected)
        #expect(!Input(-1).isRedirected)
    }

    @Test
    func `A message suggests --ignore-stdin while apibase waits for standard input that does not end`() async throws {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let (pipe, errors) = (Pipe(), Written())
        // Writes and closes only after the message.
        let err = Channel { bytes in
            errors.channel().write(bytes)
            try? pipe.fileHandleForWriting.write(contentsOf: Data("late".utf8))
            try? pipe.fileHandleForWriting.close()
        }
        let code = await Apibase.run(
            ["post", server.url().absoluteString],
            input: Input(pipe.fileHandleForReading.fileDescriptor, noticeDelay: .zero),
            output: Output(out: Written().channel(), err: err)
        )
        #expect(code == 0)
        #expect(errors.text.hasPrefix("apibase: Waiting for the end of the standard input, which is the body. "))
        #expect(errors.text.hasSuffix(" Use --ignore-stdin to send no body.\n"))
        #expect(server.requests.first?.body == Array("late".utf8))
    }

    #if os(Linux)
    @Test(arguments: [
        ("echo '{}' | 'PROGRAM' post URL", "{}\n"), ("'PROGRAM' post URL < /dev/null", ""),
        ("'PROGRAM' post URL <&-", ""), ("echo '{}' | 'PROGRAM' post URL a=b", #"{"a":"b"}"#),
    ])
    func `Shell input is the post body when piped, but not from the null device, closed or with body items`(
        line: String,
        body: String
    )
        async throws
    {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let command = line.replacing("PROGRAM", with: PseudoTerminal.program.path)
            .replacing("URL", with: server.url().absoluteString)
        let end = try await OpenSSL.offPool {
            try ChildProcess(URL(fileURLWithPath: "/bin/bash"), ["-c", command]).finish().end
        }
        #expect(end == .exit(0))
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [body])
    }

    @Test func `The post command does not wait for input from a terminal and sends no body`() async throws {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let url = server.url().absoluteString
        let code = try await OpenSSL.offPool { try PseudoTerminal(["post", url]).finish().code }
        #expect(code == 0)
        #expect(server.requests.map(\.body) == [[]])
    }
    #endif

    @Test func `Lines are read as they are taken, a thousand ahead`() async throws {
        let (pipe, written) = (Pipe(), Locked(0))
        let line = Data((String(repeating: "-", count: 99) + "\n").utf8)
        let writer = Thread {
            for _ in 0..<20_000 {
                try? pipe.fileHandleForWriting.write(contentsOf: line)
                written.withLock { $0 += 1 }
            }
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        var taken = 0
        for await text in Input(pipe.fileHandleForReading.fileDescriptor).lines {
            taken += 1
            if taken % 100 == 0 {
                // And what is in the pipe and in the buffer, 64 KiB each.
                let limit = taken + 1_000 + 2 * (64 << 10) / line.count + 2
                #expect(written.withLock { $0 } <= limit)
            }
            if taken == 1 { #expect(text.count == 99) }
        }
        #expect(taken == 20_000)
    }
}
