#if os(Linux)
import Basics
import CCurl
import Dispatch
import Foundation
import HostileServer
import HTTPTransport
import LoopbackServer
import PortableCombine
import TestTiers
import Testing

/// Servers that answer an upload over HTTP/2 before it has ended, and then end its stream by RST_STREAM (RFC 9113,
/// section 8.1).
@Suite(.tags(.concurrent), .limited) struct CurlHTTP2ResetTests {
    /// The frames that answer the head of a request, and the code of the reset.
    struct Answer: Sendable, CustomTestStringConvertible {
        enum Piece: Sendable {
            case head(_ status: Int, length: Int? = nil, isLast: Bool = false)
            case data(String, isLast: Bool = false)

            func frame(on stream: UInt32) -> Frame {
                switch self {
                case .head(let status, let length, let isLast):
                    let fields = [(":status", "\(status)")] + (length.map { [("content-length", "\($0)")] } ?? [])
                    return .headers(fields, on: stream, isLast: isLast)
                case .data(let text, let isLast): return .data(text, on: stream, isLast: isLast)
                }
            }
        }

        let testDescription: String
        let pieces: [Piece]
        let code: UInt8
        /// Status and body; nil for a lost connection.
        let outcome: Outcome?

        struct Outcome: Equatable {
            var status: Int?
            var body = ""
        }

        init(_ name: String, _ pieces: [Piece], reset code: UInt8 = 0, _ status: Int? = nil, _ body: String = "") {
            (testDescription, self.pieces, self.code) = (name, pieces, code)
            outcome = status.map { Outcome(status: $0, body: body) }
        }

        /// What a client has read of it in the end.
        var read: Outcome {
            var read = Outcome()
            for piece in pieces {
                switch piece {
                case .head(let status, _, _): if status >= 200 { read.status = status }
                case .data(let text, _): read.body += text
                }
            }
            return read
        }
    }

    private static let (internalError, cancel): (UInt8, UInt8) = (2, 8)

    private static let answers =
        [200, 303, 401, 413].flatMap { status in
            [
                Answer(
                    "\(status) with a body",
                    [.head(status, length: 6), .data("denied", isLast: true)],
                    status,
                    "denied"
                ),
                Answer("\(status) without a body", [.head(status, length: 0, isLast: true)], status),
                Answer(
                    "\(status) with a whole body, not ended",
                    [.head(status, length: 6), .data("denied")],
                    status,
                    "denied"
                ),
                Answer("\(status) with a cut body", [.head(status, length: 9), .data("denied")]),
                Answer("\(status) and an error", [.head(status), .data("denied")], reset: internalError),
            ]
        }
        + [303, 401, 413].flatMap { status in
            [
                Answer("\(status), length unknown", [.head(status), .data("denied", isLast: true)], status, "denied"),
                Answer("\(status), only a head", [.head(status, isLast: true)], status),
            ]
        } + [
            Answer("204", [.head(204, isLast: true)], 204),
            Answer("an interim head", [.head(103), .head(413), .data("denied", isLast: true)], 413, "denied"),
            Answer("an error without a head", [], reset: cancel),
            Answer("an end without a head", []),
        ]

    /// A session for HTTP/2, and a server that resets a stream after `mayReset` has been signaled, or with the answer.
    private static func setUp(
        _ answer: Answer,
        resetsAtOnce: Bool = false
    ) throws -> (CurlSession, FrameServer, mayReset: DispatchSemaphore) {
        let mayReset = DispatchSemaphore(value: 0)
        let server = try FrameServer { connection, stream, arrival in
            guard arrival == .head else { return }
            let frames = answer.pieces.flatMap { $0.frame(on: stream).bytes }
            let reset = Frame.reset(answer.code, on: stream).bytes
            if resetsAtOnce { return try connection.write(frames + reset) }
            try connection.write(frames)
            _ = mayReset.wait(timeout: .now() + 60)
            try connection.write(reset)
        }
        var configuration = CurlSession.Configuration()
        configuration.httpVersion = .http2
        return (CurlSession(configuration: configuration), server, mayReset)
    }

    @Test(arguments: answers, [2, 300_000])
    func `An HTTP 2 response that has come whole counts although the server resets the upload with NO_ERROR`(
        answer: Answer,
        count: Int
    ) async throws {
        for _ in 0..<load(30) {
            let (session, server, mayReset) = try Self.setUp(answer)
            defer { server.stop() }
            let (seen, end) = (Locked(Answer.Outcome()), Later<TransportError?>())
            let body = HTTPBody.data(Data(count: count))
            let call = try session.events(for: ExchangeRequest(.post, port: server.port, body: body)).sink {
                completion in
                if case .failure(let error) = completion { end.set(error) } else { end.set(nil) }
            } receiveValue: { event in
                let isRead = seen.withLock { seen in
                    switch event {
                    case .head(let head): seen.status = head.statusCode
                    case .body(let data): seen.body += String(decoding: data, as: UTF8.self)
                    case .sent: break
                    }
                    return seen == answer.read
                }
                if isRead { mayReset.signal() }
            }
            if answer.pieces.isEmpty { mayReset.signal() }
            let error = try await end.value()
            call.cancel()
            mayReset.signal()
            #expect(error?.reason == (answer.outcome == nil ? .connectionLost : nil))
            if let outcome = answer.outcome { #expect(seen.withLock { $0 } == outcome) }
        }
    }

    /// libcurl from 7.88 to 8.0 has lost what it had read with the reset.
    @Test(arguments: answers)
    func `An HTTP 2 response that comes with its reset is delivered whole, or its loss is named`(answer: Answer)
        async throws
    {
        let (session, server, _) = try Self.setUp(answer, resetsAtOnce: true)
        defer { server.stop() }
        for _ in 0..<load(30) {
            let body = HTTPBody.data(Data(count: 300_000))
            switch try await session.result(of: ExchangeRequest(.post, port: server.port, body: body)) {
            case .success(let reply):
                #expect(Answer.Outcome(status: reply.status, body: reply.text) == answer.outcome)
            case .failure(let error):
                #expect(error.reason == .connectionLost)
                let isNamed = "\(error)".contains("libcurl has lost the answer")
                #expect(isNamed == (answer.code == 0 && !answer.pieces.isEmpty) || answer.outcome == nil)
                #expect(answer.outcome == nil || ccurl_quirk_lost_answers())
            }
        }
    }
}
#endif
