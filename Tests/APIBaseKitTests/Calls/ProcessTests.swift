#if os(Linux)
import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProcessTests {
    /// In a process of its own, since the other tests of this one need memory too.
    @Test(.heavy) func `Thousands of requests in one process use one connection and leak no memory`() async throws {
        let (end, text) = try await run("probe")
        #expect(end == .exit(0))
        let numbers = text.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        try #require(numbers.count == 3, "\(text)")
        #expect(numbers[0] == 1)
        // The thread sanitizer keeps memory of its own for all there ever was.
        guard !isSanitized else { return }
        let (first, last) = (numbers[1], numbers[2])
        #expect(first > 0)
        // What threads and caches keep; 256 bytes that stay behind each of the 4,000 requests would be more.
        #expect(last - first < 1_000, "from \(first) to \(last) KiB")
    }

    @Test func `A process that ends while requests are running exits with status 0`() async throws {
        for _ in 0..<load(10) { #expect(try await run("probe", "exit").end == .exit(0)) }
    }

    @Test func `A process that forks while requests are running still completes the requests`() async throws {
        let (end, text) = try await run("probe", "fork")
        #expect(end == .exit(0))
        #expect(text == "child: 7\nbytes: 10000000\n")
    }

    /// Loops, timer and workers: where thousands wait, none of them has a thread of its own. What counts is the usual number of
    /// threads: on a busy machine, a thread that sleeps at a lock is taken for blocked and replaced, for moments. And the
    /// runtime has as many threads again as there are processors while its own sleep there.
    @Test(.heavy) func `Thousands of calls that wait do not each occupy a thread`() async throws {
        let answers = Locked(0)
        let server = try HTTPServer { request in
            if request.path == "/pause" { return .text("", status: 429, headers: HTTPFields(["Retry-After": "1"])) }
            guard request.path.hasPrefix("/mixed") else { return .text("ok") }
            let number = answers.withLock { number in
                number += 1
                return number
            }
            let headers = HTTPFields(["Cache-Control": number.isMultiple(of: 2) ? "max-age=60" : "no-store"])
            return .text("ok", status: number.isMultiple(of: 9) ? 503 : 200, headers: headers)
        }
        defer { server.stop() }
        let (end, text) = try await run("probe", "waits", server.url.absoluteString, isSanitized ? "1000" : "3000")
        #expect(end == .exit(0))
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        let numbers = Dictionary(uniqueKeysWithValues: lines.map { ($0[0], $0.dropFirst().compactMap { Int($0) }) })
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let runtime = try #require(numbers["runtime"]?.first) + processors
        for way in ["everything", "gate", "refresh", "sharing", "pause", "retry"] {
            let counts = try #require(numbers[way[...]])
            try #require(counts.count == 3)
            #expect(counts[2] == 0, "\(way)")
            // On a quiet machine it is 4 more than the loops.
            #expect(counts[0] <= runtime + 64, "\(way)")
        }
    }

    #if !canImport(Combine)
    /// As with Apple's Combine. What is imported between decides it, too: see `checkedInUse` in Package.swift.
    @Test func `A main actor closure in a Combine operator traps when it is called off the main actor`() async throws {
        try await expectEachOperator("trapped", when: "elsewhere")
    }

    @Test func `A main actor closure in a Combine operator runs when it is called on the main actor`() async throws {
        try await expectEachOperator("called", when: "main")
    }

    private func expectEachOperator(_ end: String, when place: String) async throws {
        let (exit, text) = try await run("probe", "isolation", place)
        #expect(exit == .exit(0))
        let lines = text.split(separator: "\n")
        #expect(lines.count > 50)
        for line in lines { #expect(line.hasSuffix(": \(end)"), "\(line)") }
    }
    #endif

    /// What a program beside this one prints. It is waited for on a thread of its own: the tests share as few as there are
    /// cores.
    func run(_ name: String, _ arguments: String...) async throws -> (end: ChildProcess.End, output: String) {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: name).async {
                let result = Result {
                    let child = try ChildProcess(folder.appendingPathComponent(name), arguments, quiet: false)
                    let (data, end) = try child.finish()
                    return (end: end, output: String(decoding: data, as: UTF8.self))
                }
                continuation.resume(with: result)
            }
        }
    }
}
#endif
