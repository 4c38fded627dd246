import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// Lines and events while they come in over a connection.
@Suite(.tags(.concurrent), .everySession, .limited) struct LinesNetworkTests {
    /// The body of a reply, as it comes.
    private func body(from server: HTTPServer) -> AnyPublisher<Data, TransportError> {
        EverySession.current.events(for: ExchangeRequest(URLRequest(url: server.url)))
            .compactMap { if case .body(let data) = $0 { data } else { nil } }
            .eraseToAnyPublisher()
    }

    @Test func `A server-sent event is delivered while its stream is still open`() async throws {
        let isSeen = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            ServerResponse(
                body: .stream { write in
                    try write(Data("data: on".utf8))
                    try write(Data("e\r\n\r".utf8))
                    isSeen.wait()
                    try write(Data("\ndata: two\n\ndata: three".utf8))
                }
            )
        }
        defer { server.stop() }
        var seen: [String] = []
        for try await event in body(from: server).serverSentEvents().values {
            seen.append(event.data)
            isSeen.signal()
        }
        #expect(seen == ["one", "two"])
    }

    /// A stream that continues until the client has gone.
    private func endless(_ piece: String, end: Later<Void>) throws -> HTTPServer {
        try HTTPServer { _ in
            ServerResponse(
                body: .stream { write in
                    defer { end.set() }
                    while true {
                        try write(Data(piece.utf8))
                        // Not at full speed: one session reads ahead of the demand.
                        Thread.sleep(forTimeInterval: 0.005)
                    }
                }
            )
        }
    }

    @Test func `Canceling a lines() subscription to an endless response closes its connection`() async throws {
        let end = Later<Void>()
        let server = try endless("a\nb\n", end: end)
        defer { server.stop() }
        let taker = Taker(body(from: server).lines())
        #expect(try await taker.values(5) == ["a", "b", "a", "b", "a"])
        taker.cancel()
        try await end.value()
    }

    @Test func `An endless line makes lines() fail with lineTooLong and closes the connection`() async throws {
        let end = Later<Void>()
        let server = try endless(String(repeating: "a", count: 1_000), end: end)
        defer { server.stop() }
        let outcome = try await finalOutcome(of: body(from: server).lines(limit: 10_000))
        #expect(outcome.failure as? RequestError == .lineTooLong(limit: 10_000) && outcome.values.isEmpty)
        try await end.value()
    }
}

extension LinesNetworkTests {
    @Test func `The body of a sendStream() reply is read line by line while it is still arriving`() async throws {
        let end = Later<Void>()
        let server = try endless("a\r\nb\r", end: end)
        defer { server.stop() }
        let call = Call(base: server.url.absoluteString)
        call.session = EverySession.current
        let taker = Taker(call.sendStream().body.lines())
        #expect(try await taker.values(4) == ["a", "b", "a", "b"])
        taker.cancel()
        try await end.value()
    }
}
