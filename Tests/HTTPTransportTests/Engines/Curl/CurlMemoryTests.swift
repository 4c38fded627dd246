#if os(Linux)
import LoopbackServer
import Foundation
import HostileServer
import HTTPTransport
import Basics
import TestTiers
import Testing

/// Large bodies need no memory of their size, whichever side is slower. Each test has a process of its own.
@Suite(
    .heavy,
    .disabled(if: isSanitized, "the sanitizer keeps memory itself"),
    .timeLimit(.minutes(5))
) struct CurlMemoryTests {
    static let bytes = 100_000_000

    /// The memory that may be added to the peak: 32 MiB.
    private static let most = 32 << 10

    /// The counts of the server's side.
    private struct Ledger {
        var sent = 0
        var received = 0
        /// How often a reader has said how much it has.
        var reports = 0
        /// The most bytes by which it was ahead of its reader.
        var lead = 0
    }

    /// The output of the client's process.
    private struct Report {
        let bytes: Int
        let seconds: Double
        let peak: Int

        init(_ lines: [Substring]) throws {
            func number(_ name: String) throws -> Double {
                let line = try #require(lines.first { $0.hasPrefix(name) }, "\(lines)")
                return try #require(line.split(separator: " ").last.flatMap { Double($0) })
            }
            (bytes, seconds, peak) = try (Int(number("bytes:")), number("seconds:"), Int(number("peak:")))
        }
    }

    private let ledger = Locked(Ledger())
    private let server: ScriptedServer
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("Memory-\(UUID().uuidString)")

    init() throws {
        server = try ScriptedServer(reading: { [ledger] head, connection, _ in
            if head.method == "PUT" { try Self.swallow(head, connection, ledger) }
            return head
        }) { [ledger] request, connection, _ in
            switch request.target.split(separator: "/").last {
            case "down": try Self.pour(into: connection, ledger)
            case let taken?:
                ledger.withLock { ledger in
                    ledger.reports += 1
                    ledger.lead = max(ledger.lead, ledger.sent - (Int(taken) ?? ledger.sent))
                }
                try connection.write(reply(body: "ok"))
            case nil: break
            }
        }
    }

    private static func pour(into connection: SocketConnection, _ ledger: Locked<Ledger>) throws {
        try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(bytes)\r\n\r\n")
        let portion = Data(repeating: 7, count: 50_000)
        for _ in 0..<(bytes / portion.count) {
            try connection.write(portion, before: .now + .seconds(300))
            ledger.withLock { $0.sent += portion.count }
        }
    }

    private static func swallow(
        _ head: RawRequest,
        _ connection: SocketConnection,
        _ ledger: Locked<Ledger>
    ) throws {
        var count = 0
        while count < head.declaredLength {
            let bytes = try connection.read(atMost: head.declaredLength - count, before: .now + .seconds(300))
            guard !bytes.isEmpty else { return }
            count += bytes.count
        }
        ledger.withLock { $0.received = count }
    }

    /// Has a child do it, by HTTP/1.1, or through nginx by HTTP/2.
    private func transfer(_ way: String, seconds: Double = 0, multiplexed: Bool) async throws -> Report {
        let children = try #require(Children())
        guard multiplexed else {
            let words = ["transfer", way, server.url("/through").absoluteString, file.path, "\(seconds)"]
            return try Report(await children.run(words).lines)
        }
        let nginx = try await Nginx.start(for: server.port)
        defer { nginx.stop() }
        let words = ["transfer", way, nginx.url("/through").absoluteString, file.path, "\(seconds)"]
        return try Report(await children.run(words + [nginx.authority.certificate.path]).lines)
    }

    private static let ways = Nginx.isAvailable ? [false, true] : [false]

    @Test(arguments: ways)
    func `Uploading a 100 MB file raises the peak memory by at most 32 MiB`(multiplexed: Bool) async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(Self.bytes))
        let report = try await transfer("up", multiplexed: multiplexed)
        #expect(report.bytes == Self.bytes)
        #expect(ledger.withLock { $0.received } == Self.bytes)
        #expect(report.peak <= Self.most, "\(report)")
    }

    /// A gigabyte in a part of a form needs no more, and is not copied before.
    @Test func `Uploading a 1 GiB file in a form raises the peak memory by at most 32 MiB`() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        let bytes = 1 << 30
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(bytes))
        let report = try await transfer("form", multiplexed: false)
        #expect(report.bytes > bytes && report.bytes < bytes + 1_000)
        #expect(ledger.withLock { $0.received } == report.bytes)
        #expect(report.peak <= Self.most, "\(report)")
    }

    @Test(arguments: ways)
    func `Downloading 100 MB to a file raises the peak memory by at most 32 MiB`(multiplexed: Bool) async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let report = try await transfer("down", multiplexed: multiplexed)
        #expect(report.bytes == Self.bytes)
        #expect(report.peak <= Self.most, "\(report)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.size] as? Int == Self.bytes)
    }

    /// The sender is held: it has never sent much more than has been taken.
    @Test(arguments: ways)
    func `A slow reader of a 100 MB download holds back the server instead of filling memory`(multiplexed: Bool)
        async throws
    {
        defer { try? FileManager.default.removeItem(at: file) }
        let fast = try await transfer("down", multiplexed: multiplexed)
        ledger.withLock { $0 = Ledger() }
        let slow = try await transfer("down", seconds: fast.seconds * 10, multiplexed: multiplexed)
        let seen = ledger.withLock { $0 }
        #expect(slow.bytes == Self.bytes)
        // Over HTTP/2, libcurl grants a stream 32 MiB, and doubles the buffer for what it has to keep.
        #expect(slow.peak <= (multiplexed ? 72 << 10 : Self.most), "\(slow)")
        #expect(seen.lead <= Self.most << 10, "\(seen)")
        // Three before the transfer, and one for every ten megabytes.
        #expect(seen.reports > 5, "\(seen)")
    }
}
#endif
