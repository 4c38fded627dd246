import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

@testable import apibase

@Suite(.limited) struct SocketTests {
    /// A server that sends a text and bytes, and then each text of the client in brackets, until that closes.
    private static func makeServer() throws -> ScriptedServer {
        try ScriptedServer { request, connection, _ in
            let key = request["Sec-WebSocket-Key"] ?? ""
            let accept = Data(sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
            try connection.write(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(accept)\r\n\r\n"
            )
            try connection.write([0x81, 3] + Array("one".utf8) + [0x82, 2, 0xFF, 0])
            while true {
                let head = try connection.read(exactly: 2)
                let (mask, length) = (try connection.read(exactly: 4), Int(head[1] & 0x7F))
                let payload = try connection.read(exactly: length).enumerated().map { $1 ^ mask[$0 & 3] }
                if head[0] & 0x0F == 8 { break }
                try connection.write([0x81, UInt8(length + 2)] + Array("[".utf8) + payload + Array("]".utf8))
            }
            try connection.write([0x88, 2, 0x03, 0xE8])
            connection.close()
        }
    }

    @Test func `The socket command prints texts as lines, bytes in Base64, and with --json objects`() async throws {
        let server = try Self.makeServer()
        defer { server.stop() }
        let url = "ws://127.0.0.1:\(server.port)/feed"
        #expect(await run("socket", url) == Outcome(code: 0, output: "one\n/wA=\n", errors: ""))
        #expect(await run("socket", url, "--json").lines == [#"{"text":"one"}"#, #"{"data":"/wA="}"#])
        #expect(await run("socket", url, "--count", "1").lines == ["one"])
        let verbose = await run("socket", url, "--verbose")
        #expect(verbose.lines == ["one", "/wA="] && verbose.errors.contains("101"))
    }

    @Test func `The socket command sends the lines of the input, also a last one without an end`() async throws {
        let server = try Self.makeServer()
        defer { server.stop() }
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("a\n\nb".utf8))
        try pipe.fileHandleForWriting.close()
        let input = Input(pipe.fileHandleForReading.fileDescriptor)
        let outcome = await run(["socket", ":\(server.port)/feed"], input: input)
        #expect(outcome.lines == ["one", "/wA=", "[a]", "[]", "[b]"])
        withExtendedLifetime(pipe) {}
    }

    @Test func `The socket command exits with 4 for a 404, and with 2 for a wrong scheme or count`() async throws {
        let server = try ScriptedServer(always: reply("404 Not Found"))
        defer { server.stop() }
        #expect(await run("socket", server.url().absoluteString).code == 4)
        #expect(await run("socket", "ftp://127.0.0.1/").code == 2)
        #expect(await run("socket", ":1", "--count", "0").code == 2)
    }

    @Test func `The socket command exits with 1 for a 200, which is no socket`() async throws {
        let server = try ScriptedServer(always: reply(body: "plain"))
        defer { server.stop() }
        #expect(await run("socket", server.url().absoluteString).code == 1)
    }

    #if os(Linux)
    @Test func `A recorded socket that Control-C ends is written as far as it has come`() async throws {
        let server = try Self.makeServer()
        let name = "socket-\(UUID().uuidString).har"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        defer {
            server.stop()
            try? FileManager.default.removeItem(at: file)
        }
        let words = ["socket", "ws://127.0.0.1:\(server.port)/feed", "--count", "9", "--record", file.path]
        let child = try ChildProcess(PseudoTerminal.program, words)
        let end = try await aside {
            var output = Data()
            while output.count < 9, let more = try child.output.read(upToCount: 9 - output.count) { output += more }
            #expect(output == Data("one\n/wA=\n".utf8))
            child.send(SIGINT)
            return try child.finish().end
        }
        #expect(end == .exit(ExitCode.interrupted))
        let recording = try String(contentsOf: file, encoding: .utf8)
        #expect(recording.contains("_webSocketMessages") && recording.contains("\"one\""))
    }
    #endif
}
