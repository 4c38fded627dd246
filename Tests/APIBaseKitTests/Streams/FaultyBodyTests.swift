#if os(Linux)
import APIBaseKit
import Basics
import HostileServer
import HTTPTransport
import LoopbackServer
import TestTiers
import Testing

/// Bodies of five parts and then a fault, sent in one write, in every way of reading.
@Suite(.tags(.concurrent), .limited) struct FaultyBodyTests {
    private struct Part: Decodable, Sendable { var n: Int }

    private final class Numbers: JSONAPI, EventRequest {
        typealias EventType = Part
        override func configure() { acceptedTypes = ["*/*"] }
    }

    enum Face: String, CaseIterable {
        case lines, values, events
    }

    /// What comes after the head, a part of the error's text, and the change of the call that leads to it.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let error: String
        let change: @Sendable (APIBase) -> Void
        let answer: @Sendable (_ isOfEvents: Bool) -> Data

        init(
            _ title: String,
            _ error: String,
            _ change: @escaping @Sendable (APIBase) -> Void = { _ in },
            answer: @escaping @Sendable (Bool) -> Data
        ) {
            (testDescription, self.error, self.change, self.answer) = (title, error, change, answer)
        }
    }

    /// Five parts, each flushed by its encoder, and what ends the coded body.
    private static let coded: [(coding: String, lines: String, events: String, ends: [String])] = [
        (
            "gzip",
            "H4sIAAAAAAACA6pWylOyMqzlAgAAAP//qgbRRrVcAAAAAP//AtPGtVwAAAAA//8C0ya1XAAAAAD//wLTprVcAAAAAP//",
            """
            H4sIAAAAAAACA0pJLEm0UqhWylOyMqzl4gIAAAD//0pBcI2AXAAAAAD//0LiGgO5AAAAAP//QuKaALkAAAAA//9C4poCuQAAAAD//w==
            """, ["AwDQ4qbBKAAAAA==", "AwCz7tziSwAAAA=="]
        ),
        (
            "deflate", "eNqqVspTsjKs5QIAAAD//6oG0Ua1XAAAAAD//wLTxrVcAAAAAP//AtMmtVwAAAAA//8C06a1XAAAAAD//w==",
            "eNpKSSxJtFKoVspTsjKs5eICAAAA//9KQXCNgFwAAAAA//9C4hoDuQAAAAD//0LimgC5AAAAAP//QuKaArkAAAAA//8=",
            ["AwDe1Qqm", "AwAoSBSc"]
        ),
        (
            "br", "iwOAeyJuIjoxfQo4AAh7Im4iOjJ9CjgACHsibiI6M30KOAAIeyJuIjo0fQo4AAh7Im4iOjV9Cg==",
            """
            CweAZGF0YTogeyJuIjoxfQoKcACAX1JBpq9EASYEWGMAcACAX1Jhpq+AECUAcGMAcACAX1KBpq+AECUAcGMAcACAX1Khpq+AECUAcGMA
            """, ["Aw==", "Aw=="]
        ),
        (
            "zstd", "KLUv/QRYQAAAeyJuIjoxfQpAAAB7Im4iOjJ9CkAAAHsibiI6M30KQAAAeyJuIjo0fQpAAAB7Im4iOjV9Cg==",
            """
            KLUv/QRYeAAAZGF0YTogeyJuIjoxfQoKVAAAIDJ9CgoBAGJMIFwAAChkM30KCgEAGxACXAAAKGQ0fQoKAQAbEAJcAAAoZDV9CgoBABsQAg==
            """, ["AQAAPVOnag==", "AQAAqAmoMA=="]
        ),
    ]

    private static func coded(
        _ title: String,
        _ change: @escaping @Sendable (_ body: Data, _ end: Data) -> Data
    ) -> [Fault] {
        coded.map { coding, lines, events, ends in
            Fault("\(coding), \(title)", "is not proper HTTP") { isOfEvents in
                let body = Data(base64Encoded: isOfEvents ? events : lines) ?? Data()
                let bytes = change(body, Data(base64Encoded: ends[isOfEvents ? 1 : 0]) ?? Data())
                return Data("Content-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n".utf8) + bytes
            }
        }
    }

    private static func plain(_ isOfEvents: Bool) -> Data {
        Data((1...5).map { isOfEvents ? "data: {\"n\":\($0)}\n\n" : "{\"n\":\($0)}\n" }.joined().utf8)
    }

    static let faults: [Fault] =
        coded("broken bytes") { body, _ in body + Data(repeating: 0xFF, count: 8) }
        + coded("bytes after the end") { $0 + $1 + Data("more".utf8) }
        + coded("a cut end") { body, end in body + end.dropLast() }
        + coded("a wrong checksum or length") { body, end in
            body + (end.count == 1 ? Data([0xF3]) : end.dropLast() + [end[end.count - 1] ^ 0xFF])
        }
        + [
            Fault("responseBytes, in the same chunk", "limit responseBytes of 100000 bytes") {
                $0.limits.responseBytes = 100_000
            } answer: {
                Data("Connection: close\r\n\r\n".utf8) + plain($0) + Data(repeating: 0x20, count: 3 << 20)
            },
            Fault("responseBytes, decoded", "limit responseBytes of 80 bytes") {
                $0.limits.responseBytes = 80
            } answer: {
                // A second member of gzip with a thousand blanks.
                let blanks = "H4sIAAAAAAACA1NQGAWjYBQMdwAAguOTzegDAAA="
                let pieces = [$0 ? coded[0].events : coded[0].lines, coded[0].ends[$0 ? 1 : 0], blanks]
                let bytes = pieces.reduce(Data()) { $0 + (Data(base64Encoded: $1) ?? Data()) }
                return Data("Content-Encoding: gzip\r\nConnection: close\r\n\r\n".utf8) + bytes
            },
            Fault("a bad chunk", "is not proper HTTP") {
                let body = plain($0)
                return Data("Transfer-Encoding: chunked\r\n\r\n\(String(body.count, radix: 16))\r\n".utf8) + body
                    + Data("\r\nzz\r\n".utf8)
            },
            Fault("a length that is too large", "connection was lost") {
                Data("Content-Length: 1000\r\nConnection: close\r\n\r\n".utf8) + plain($0)
            },
            Fault("no byte for the idle time", "Nothing moved") {
                $0.limits.idle = .milliseconds(200)
            } answer: {
                Data("Content-Length: 1000\r\n\r\n".utf8) + plain($0)
            },
            Fault("the total time", "was not done within") {
                $0.limits.total = .milliseconds(200)
            } answer: {
                Data("Content-Length: 1000\r\n\r\n".utf8) + plain($0)
            },
        ]

    private static func run(
        _ fault: Fault,
        type: String,
        _ read: (Numbers) async throws -> Void
    ) async throws -> String {
        let server = try ScriptedServer { _, connection, _ in
            let bytes = fault.answer(type == "text/event-stream")
            try connection.write(Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n".utf8) + bytes)
            if String(decoding: bytes.prefix(100), as: UTF8.self).contains("close") { connection.close() }
        }
        defer { server.stop() }
        let call = Numbers(.get("/x"))
        call.baseURL = server.url("")
        call.session = CurlSession()
        fault.change(call)
        do {
            try await read(call)
            return "no error"
        } catch {
            return error.localizedDescription
        }
    }

    @Test(arguments: faults, Face.allCases)
    func `All whole lines and events before a fault in a body are delivered, and then its error`(
        fault: Fault,
        face: Face
    ) async throws {
        var numbers: [Int] = []
        let error = try await Self.run(fault, type: face == .events ? "text/event-stream" : "application/x-ndjson") {
            switch face {
            case .lines: for try await line in $0.eachLine() where !line.isEmpty { numbers.append(line.count) }
            case .values: for try await part in $0.eachValue(of: Part.self) { numbers.append(part.n) }
            case .events: for try await part in $0.eachValue() { numbers.append(part.n) }
            }
        }
        #expect(numbers == (face == .lines ? [7, 7, 7, 7, 7] : [1, 2, 3, 4, 5]))
        #expect(error.contains(fault.error), "\(error)")
    }

    @Test(arguments: faults)
    func `A fault in a body fails a call for its data and a download, which leaves no file`(fault: Fault) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("faulty-\(UUID().uuidString)")
        let reads: [(Numbers) async throws -> Void] = [
            { _ = try await $0.sendRequest().values.first { _ in true } },
            { _ = try await $0.downloaded(to: file, resuming: false) },
        ]
        for read in reads {
            let error = try await Self.run(fault, type: "application/octet-stream", read)
            #expect(error.contains(fault.error), "\(error)")
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
#endif
