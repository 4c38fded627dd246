import DemoServer
import Foundation
import HTTPTransport
import PortableCombine
import Testing

extension OverSockets {
    @Suite struct LimitTests {
        /// A megabyte of the digit 0 in 7 KB of gzip (RFC 1951, section 3.2.6): once, then 258 more again and again. It has no
        /// check sum at its end: nobody should come that far.
        private static let bomb: [UInt8] = {
            var bits = BitWriter()
            bits.write(0b1, 1)
            bits.write(0b01, 2)
            bits.huffman(0x30, 8)
            for _ in 0..<4_064 {
                bits.huffman(0b1100_0101, 8)
                bits.huffman(0, 5)
            }
            bits.huffman(0, 7)
            return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bits.bytes
        }()

        @Test func stopsABombBeforeItIsUnpacked() async throws {
            let bomb = Self.bomb
            let server = try ScriptedServer { _, connection, _ in
                try connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
                )
                try connection.write(bomb)
            }
            defer { server.stop() }
            let error = await DefaultSession.shared.fetch(make(.get, server.url()) { $0.responseBytes = 100_000 })?
                .error
            #expect(bomb.count < 10_000)
            #expect(error?.reason == .tooLarge(.responseBytes, limit: 100_000))
            #expect(error?.phase == .body)
        }

        @Test func failsBeforeReadingWhatIsDeclaredTooLarge() async throws {
            let server = try ScriptedServer { _, connection, _ in
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n")
                _ = try? connection.read()
            }
            defer { server.stop() }
            let error = await DefaultSession.shared.fetch(make(.get, server.url()) { $0.responseBytes = 100 })?.error
            #expect(error?.reason == .tooLarge(.responseBytes, limit: 100))
            #expect(error?.phase == .head)
            #expect(error?.description.contains("100") == true)
        }

        @Test func takesWhatIsExactlyTheLimit() async throws {
            let server = try ScriptedServer(always: reply(body: String(repeating: "x", count: 100)))
            defer { server.stop() }
            let result = await DefaultSession.shared.fetch(make(.get, server.url()) { $0.responseBytes = 100 })
            #expect(result?.text?.count == 100)
        }

        @Test func doesNotMeasureHEADByWhatItDeclares() async throws {
            let server = try ScriptedServer(always: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            defer { server.stop() }
            let result = await DefaultSession.shared.fetch(make(.head, server.url()) { $0.responseBytes = 100 })
            #expect(result?.status == 200)
            #expect(result?.text == "")
        }

        @Test func countsAnEndlessBody() async throws {
            let server = try ScriptedServer { _, connection, _ in
                try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                let chunk = "1000\r\n" + String(repeating: "x", count: 0x1000) + "\r\n"
                for _ in 0..<100_000 { try connection.write(chunk) }
            }
            defer { server.stop() }
            let error = await DefaultSession.shared.fetch(make(.get, server.url()) { $0.responseBytes = 1 << 20 })?
                .error
            #expect(error?.reason == .tooLarge(.responseBytes, limit: 1 << 20))
        }

        @Test func countsHeaders() async throws {
            let headers = (0..<40).map { "X-Header-\($0): \(String(repeating: "v", count: 100))" }
            let server = try ScriptedServer(always: reply("200 OK", headers))
            defer { server.stop() }
            let error = await DefaultSession.shared.fetch(make(.get, server.url()) { $0.headerBytes = 2_000 })?.error
            #expect(error?.reason == .tooLarge(.headerBytes, limit: 2_000))
            #expect(await DefaultSession.shared.fetch(make(.get, server.url()))?.status == 200)
        }

        @Test func failsWhenNobodyTakesWhatComesAndTheSenderCannotBeHeld() async throws {
            let server = try ScriptedServer(always: reply(body: String(repeating: "x", count: 4 << 20)))
            defer { server.stop() }
            let recorder = Recorder<ExchangeEvent, TransportError>(.max(1))
            let request = make(.get, server.url()) { $0.queuedBytes = 1 << 20 }
            DefaultSession.shared.events(for: request).subscribe(recorder)
            #if canImport(FoundationNetworking)
            let end = await recorder.end()
            guard case .failure(let error) = end else {
                Issue.record("\(String(describing: end))")
                return
            }
            #expect(error.reason == .bufferOverflow(limit: 1 << 20))
            #expect(recorder.values.count <= 1)
            #else
            #expect(await recorder.wait { !$0.values.isEmpty })
            recorder.cancel()
            #endif
        }
    }
}

/// Bits as deflate packs them (RFC 1951, section 3.1.1).
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func write(_ value: Int, _ count: Int) {
        for index in 0..<count {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8((value >> index) & 1) << UInt8(used)
            used += 1
        }
    }

    /// Huffman codes come with their first bit first.
    mutating func huffman(_ code: Int, _ count: Int) {
        for index in (0..<count).reversed() { write((code >> index) & 1, 1) }
    }
}
