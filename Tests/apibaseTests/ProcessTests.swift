#if os(Linux)
import APIBaseKit
import Basics
import HostileServer
import TestTiers
import Testing

@testable import apibase

/// The command as a child process: on a terminal, in a pipe, and with signals.
@Suite(.limited) struct ProcessTests {
    private let call = ["users", "3", "--json"]

    @Test(arguments: [([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false)])
    func `Terminal has no colors if NO_COLOR is set and not empty, or if TERM is dumb`(
        environment: [String: String],
        hasColors: Bool
    )
        throws
    {
        var (master, slave) = (Int32(-1), Int32(-1))
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer { [master, slave].forEach { _ = close($0) } }
        #expect(Terminal(slave, environment: environment)?.hasColors == hasColors)
    }

    @Test(arguments: [([:], true), (["NO_COLOR": "1"], false)])
    func `The get command prints colors on a terminal unless NO_COLOR is set`(
        environment: [String: String],
        hasColors: Bool
    )
        async throws
    {
        let call = call
        let (text, code) = try await aside { try PseudoTerminal(call, environment: environment).finish() }
        #expect(code == 0)
        #expect(text.contains("User 3"))
        #expect(text.contains("\u{1B}[34m\"name\"\u{1B}[0m: ") == hasColors)
        #expect(text.contains("\u{1B}") == hasColors)
    }

    @Test func `The output of a command to a pipe has no colors`() async throws {
        let call = call
        let (output, end) = try await aside { try ChildProcess(PseudoTerminal.program, call).finish() }
        #expect(end == .exit(0))
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains("User 3"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `The apibase report without arguments is laid out for the width of a 90-column terminal`() async throws {
        let (text, code) = try await aside { try PseudoTerminal([], columns: 90).finish() }
        #expect(code == 0)
        #expect(text.contains("▀"))
        #expect(text.contains("GET    /jsonplaceholder/users         200"))
    }

    @Test func `Control-C ends a call that is never answered with exit code 130`() async throws {
        let asked = Later<Void>()
        let server = try ScriptedServer { _, connection, _ in
            asked.set()
            connection.waitForTheEnd()
        }
        defer { server.stop() }
        let terminal = try Locked(PseudoTerminal(["get", server.url().absoluteString, "--retry", "3"]))
        try await asked.value()
        terminal.withLock { $0.send(SIGINT) }
        let (text, code) = try await aside { terminal.withLock { $0.finish() } }
        #expect(code == 130)
        #expect(!text.contains("apibase"))
    }

    @Test func `Control-C stops the serve command with exit code 0`() async throws {
        let child = try ChildProcess(PseudoTerminal.program, ["serve", "--port", "0"])
        let end = try await aside {
            // Until its first output.
            _ = try child.output.read(upToCount: 1)
            child.send(SIGINT)
            return try child.finish().end
        }
        #expect(end == .exit(0))
    }

    @Test func `The get command ends silently with exit code 141 when its output pipe is closed`() async throws {
        let body = String(repeating: "line\n", count: 400_000)
        let server = try ScriptedServer(always: reply(body: body))
        defer { server.stop() }
        let command =
            "'\(PseudoTerminal.program.path)' get \(server.url().absoluteString) 2>&1 | head -1; echo ${PIPESTATUS[0]}"
        let (output, end) = try await aside {
            try ChildProcess(URL(fileURLWithPath: "/bin/bash"), ["-c", command]).finish()
        }
        #expect(end == .exit(0))
        #expect(String(decoding: output, as: UTF8.self) == "line\n141\n")
        let ignoring = try await aside {
            try ChildProcess(URL(fileURLWithPath: "/bin/bash"), ["-c", "trap '' PIPE; \(command)"]).finish().output
        }
        #expect(String(decoding: ignoring, as: UTF8.self) == "line\n141\n")
    }
}
#endif
