#if os(Linux)
import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

@testable import apibase

/// Transfers in a child process: on a terminal, interrupted, and on a full disk.
@Suite(.limited) struct TransferProcessTests {
    private func shell(_ command: String) async throws -> (output: String, end: ChildProcess.End) {
        try await aside {
            let (output, end) = try ChildProcess(URL(fileURLWithPath: "/bin/bash"), ["-c", command]).finish()
            return (String(decoding: output, as: UTF8.self), end)
        }
    }

    /// A server whose replies have 60,000 bytes, and the second half of them byte by byte until the bars were seen. So bars
    /// are drawn as long as a test needs.
    private func slowServer(until isSeen: Later<Void>) throws -> ScriptedServer {
        try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")
            try connection.write(String(repeating: "a", count: 30_000))
            var rest = 30_000
            while !isSeen.isSet, rest > 0 {
                try connection.write("a")
                rest -= 1
                Thread.sleep(forTimeInterval: 0.01)
            }
            try connection.write(String(repeating: "a", count: rest))
        }
    }

    /// The whole lines of an output, without the sequences that erase lines.
    private static func lines(_ text: String) -> [String] {
        text.replacing(/\u{1B}\[[0-9]*[FJ]/, with: "").split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        )
        .dropLast().map(String.init)
    }

    @Test(arguments: [40, 200] as [UInt16])
    func `Progress bars of downloads are as wide as the terminal and show bytes only if there is room`(columns: UInt16)
        async throws
    {
        let lab = try Lab()
        let isSeen = Later<Void>()
        let server = try slowServer(until: isSeen)
        defer { server.stop() }
        let urls = ["/a", "/b"].map { server.url($0).absoluteString }
        let arguments = ["download"] + urls + ["--out", lab.folder.path]
        let (text, code) = try await aside {
            try PseudoTerminal(arguments, environment: ["NO_COLOR": "1"], columns: columns).finish { text in
                let lines = Self.lines(text)
                if lines.contains(where: { $0.hasPrefix("a ") }), lines.contains(where: { $0.hasPrefix("b ") }) {
                    isSeen.set()
                }
            }
        }
        #expect(code == 0)
        let lines = Self.lines(text)
        let bars = lines.filter { $0.contains("·") || $0.contains("█") }
        #expect(bars.contains { $0.hasPrefix("a ") })
        #expect(bars.contains { $0.hasPrefix("b ") })
        #expect(bars.allSatisfy { $0.columns == Int(columns) - 1 }, "\(bars)")
        #expect(bars.contains { $0.contains(" of 60.0 kB") } == (columns == 200))
        for name in ["a", "b"] { #expect(lines.contains { $0.hasPrefix("\(name): 60.0 kB in 0:") }) }
        #expect(try lab.names == ["a", "b"])
    }

    @Test func `Progress bars get the new width when the terminal is resized`() async throws {
        let lab = try Lab()
        let isSeen = Later<Void>()
        let server = try slowServer(until: isSeen)
        defer { server.stop() }
        let arguments = ["download", server.url("/a").absoluteString, "--out", lab.folder.path]
        let widths = try await aside {
            let terminal = try PseudoTerminal(arguments, environment: ["NO_COLOR": "1"], columns: 120)
            func widths(_ text: String) -> [Int] { Self.lines(text).filter { $0.contains("█") }.map(\.columns) }
            let (text, code) = terminal.finish { text in
                if text.contains("█") { terminal.resize(columns: 60) }
                if widths(text).last == 59 { isSeen.set() }
            }
            #expect(code == 0)
            return widths(text)
        }
        #expect(widths.first == 119)
        #expect(widths.last == 59)
    }

    /// Starts the command, and interrupts it when a file in the folder has `size` bytes.
    private func interrupt(
        _ arguments: [String],
        in lab: Lab,
        when size: Int,
        of name: @escaping @Sendable (String) -> Bool
    ) async throws -> ChildProcess.End {
        let child = try ChildProcess(PseudoTerminal.program, arguments)
        let folder = lab.folder.path
        let isThere = try await holds {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter(name).contains { name in
                let values = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                return (values?[.size] as? Int ?? 0) >= size
            }
        }
        #expect(isThere)
        child.send(SIGINT)
        return try await aside { try child.finish().end }
    }

    @Test func `A download interrupted by Control-C is resumed by the next call`() async throws {
        let lab = try Lab()
        let call = ["download", lab.file("a", "size=400000"), "--out", lab.folder.path]
        #expect(try await interrupt(call + ["X-Rate:10"], in: lab, when: 16_384) { $0 == "a.partial" } == .exit(130))
        #expect(try lab.names == ["a.partial", "a.partial-info"])
        let part = try lab.data("a.partial")
        #expect(16_384..<400_000 ~= part.count)

        let second = await apibaseTests.run(call + ["-v"])
        #expect(second.code == 0)
        #expect(second.errors.contains("> Range: bytes=\(part.count)-\n"))
        // The offset is from `Content-Range`.
        #expect(second.errors.contains("a: 400.0 kB, \(Format.bytes(Int64(400_000 - part.count))) of it now, in 0:"))
        #expect(try await lab.data("a") == lab.fetched(lab.file("a", "size=400000")))
        #expect(try lab.names == ["a"])
    }

    @Test func `A get request interrupted by Control-C leaves no file at --output`() async throws {
        let lab = try Lab()
        let file = lab.file("a", "size=400000&rate=10")
        let get = ["get", file, "--output", lab.path("a")]
        #expect(try await interrupt(get, in: lab, when: 1) { $0.hasSuffix(".tmp") } == .exit(130))
        #expect(try lab.names.isEmpty)
    }

    @Test(arguments: ["get", "events"])
    func `The get and events commands print data on arrival and exit with 130 on Control-C`(command: String)
        async throws
    {
        // The rest of the response never comes.
        let server = try ScriptedServer(
            always: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000\r\n\r\ndata: 1\n\n"
        )
        defer { server.stop() }
        let child = try ChildProcess(PseudoTerminal.program, [command, server.url().absoluteString])
        let (first, end) = try await aside {
            let first = try child.output.read(upToCount: 1)
            child.send(SIGINT)
            return (first, try child.finish().end)
        }
        #expect(first?.count == 1)
        #expect(end == .exit(130))
    }

    /// The thread sanitizer reports the signal of a full disk as a crash.
    @Test(.disabled(if: isSanitized))
    func `The get and download commands exit with 1 and one line of error when the disk is full`() async throws {
        let lab = try Lab()
        let program = PseudoTerminal.program.path
        let file = lab.file("a", "size=100000")
        let limit = "trap '' XFSZ; ulimit -f 8; '\(program)'"
        let download = try await shell("\(limit) download '\(file)' --out '\(lab.path("a"))' 2>&1")
        #expect(download.end == .exit(1))
        #expect(download.output.hasPrefix("apibase: a: “a” cannot be written: "))
        let get = try await shell("\(limit) get '\(file)' --output '\(lab.path("b"))' 2>&1")
        #expect(download.output.hasSuffix("File too large\n"))
        #expect(download.output.split(separator: "\n").count == 1)
        #expect(get.end == .exit(1))
        #expect(get.output == "apibase: “\(lab.path("b"))” cannot be written: File too large\n")
        #expect(try !lab.names.contains { $0.hasPrefix("b") })
        let full = try await shell("'\(program)' get '\(file)' 2>&1 >/dev/full")
        #expect(full.end == .exit(1))
        #expect(full.output == "apibase: the output cannot be written.\n")
    }
}
#endif
