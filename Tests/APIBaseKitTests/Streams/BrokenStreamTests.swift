import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Streams whose connection breaks at a random place, read in every way and at every speed.
@Suite(.tags(.concurrent), .everySession, .limited) struct BrokenStreamTests {
    /// One part of a stream: the JSON of a line, or of the data of an event.
    private struct Part: Decodable, Sendable, CustomStringConvertible {
        var n: Int
        var text: String

        var description: String { #"{"n":\#(n),"text":"\#(text)"}"# }
    }

    /// A stream that is cut: the pieces in which its bytes are sent, and the parts that have come before the cut.
    private struct Cut: Sendable {
        var pieces: [Data] = []
        var parts: [String] = []

        init(ofEvents: Bool, _ numbers: inout RandomNumbers) {
            var bytes = Data()
            var ends: [Int] = []
            let parts = (0..<Int.random(in: 1...6, using: &numbers)).map { number in
                let text = String(repeating: "ä🙂x", count: .random(in: 0...20, using: &numbers))
                return "\(Part(n: number, text: text))"
            }
            for part in parts {
                bytes += Data((ofEvents ? "data: \(part)\n\n" : "\(part)\n").utf8)
                ends.append(bytes.count)
            }
            // Every second cut is where a part ends.
            let end = Bool.random(using: &numbers) ? ends.randomElement(using: &numbers) : nil
            var rest = bytes.prefix(end ?? .random(in: 0...bytes.count, using: &numbers))
            self.parts = zip(parts, ends).filter { $0.1 <= rest.count }.map(\.0)
            while !rest.isEmpty {
                pieces.append(rest.prefix(.random(in: 1...120, using: &numbers)))
                rest = rest.dropFirst(pieces.last?.count ?? 0)
            }
        }

        var bytes: Data { pieces.reduce(Data(), +) }
    }

    /// A way of reading a stream.
    enum Face: CaseIterable {
        case eachValueOfEvents, events, replyEvents, eachEvent, eventsOfBody
        case eachLine, linesOfBody, eachValueOfLines, jsonLines, body

        var isOfEvents: Bool {
            switch self {
            case .eachValueOfEvents, .events, .replyEvents, .eachEvent, .eventsOfBody: true
            case .eachLine, .linesOfBody, .eachValueOfLines, .jsonLines, .body: false
            }
        }
    }

    /// The speed of a reader: it asks for everything at once; for one after another; or for the first, and for the others
    /// when the connection has broken.
    enum Speed: CaseIterable { case unlimited, quick, late }

    private final class Values: JSONAPI, EventRequest { typealias EventType = Part }

    /// Reads a stream to its end, and returns the texts of what came, and the error.
    private static func read(
        _ face: Face,
        at speed: Speed,
        of call: Values,
        until broken: Later<Void>
    ) async throws -> (texts: [String], error: (any Error)?) {
        if speed == .unlimited {
            let outcome = try await finalOutcome(of: texts(of: call, by: face))
            return (outcome.values, outcome.failure)
        }
        var texts: [String] = []
        func take(_ text: String) async throws {
            texts.append(text)
            if speed == .late { try await broken.value() }
        }
        do {
            switch face {
            case .eachValueOfEvents: for try await value in call.eachValue() { try await take("\(value)") }
            case .events: for try await value in call.events().values { try await take("\(value)") }
            case .eachEvent: for try await event in call.eachEvent() { try await take(event.data) }
            case .eachLine: for try await line in call.eachLine() { try await take(line) }
            case .eachValueOfLines:
                for try await value in call.eachValue(of: Part.self) { try await take("\(value)") }
            case .replyEvents, .eventsOfBody, .linesOfBody, .jsonLines, .body:
                for try await text in CallSequence(Self.texts(of: call, by: face)) { try await take(text) }
            }
            return (texts, nil)
        } catch {
            return (texts, error)
        }
    }

    private static func texts(of call: Values, by face: Face) -> AnyPublisher<String, any Error> {
        switch face {
        case .eachValueOfEvents, .events: call.events().map { "\($0)" }.eraseToAnyPublisher()
        case .replyEvents: call.replyEvents().map(\.data).eraseToAnyPublisher()
        case .eachEvent: call.serverSentEvents().map(\.data).eraseToAnyPublisher()
        case .eventsOfBody: call.sendStream().body.serverSentEvents().map(\.data).eraseToAnyPublisher()
        case .eachLine, .linesOfBody: call.sendStream().body.lines().eraseToAnyPublisher()
        case .eachValueOfLines, .jsonLines: call.jsonLines(of: Part.self).map { "\($0)" }.eraseToAnyPublisher()
        // One byte is one character here, so that a chunk may end anywhere.
        case .body:
            call.sendStream().body.map { String($0.map { Character(Unicode.Scalar($0)) }) }.eraseToAnyPublisher()
        }
    }

    /// Answers with a stream that is cut, and nothing afterwards.
    private static func server(_ cut: Cut, _ type: String, broken: Later<Void>) throws -> ScriptedServer {
        try ScriptedServer { _, connection, number in
            guard number == 0 else { return try connection.write("HTTP/1.1 204 X\r\n\r\n") }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
            for piece in cut.pieces {
                try connection.write(Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8))
            }
            connection.close()
            broken.set()
        }
    }

    @Test(arguments: Face.allCases, Speed.allCases)
    func `Everything that arrived before a connection broke is delivered, and then one error`(
        face: Face,
        speed: Speed
    ) async throws {
        let type = face.isOfEvents ? "text/event-stream" : "application/x-ndjson"
        for seed in 0..<UInt64(load(100)) {
            var numbers = RandomNumbers(seed: seed)
            let cut = Cut(ofEvents: face.isOfEvents, &numbers)
            let broken = Later<Void>()
            let server = try Self.server(cut, type, broken: broken)
            defer { server.stop() }
            // Its clock lets the wait before another connection take no time, also for the server's answers.
            let (network, stubs) = (Stubs(unmatched: .passThrough), Stubs())
            let answer = StubAnswer.status(200, headers: ["Content-Type": type], data: cut.bytes)
            stubs.on().answer(inOrder: answer.inChunks(of: 50).broken(off: .afterBytes(.max)), .status(204))
            for answers in [network, stubs] {
                let call = Values(.get(EndpointPath(server.url().absoluteString)))
                call.session = EverySession.current
                if answers === stubs { broken.set() }
                let end = try await answers.run { try await Self.read(face, at: speed, of: call, until: broken) }
                let expected = face == .body ? [String(cut.bytes.map { Character(Unicode.Scalar($0)) })] : cut.parts
                let texts = face == .body ? [end.texts.joined()] : end.texts
                // An event source connects again in place of an error, and is told that there is no more.
                let isError = face == .eachEvent ? end.error == nil : end.error is TransportError
                #expect(texts == expected && isError, "seed \(seed), \(answers === stubs ? "stubs" : "network")")
                if texts != expected { return }
            }
        }
    }
}
