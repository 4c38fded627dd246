import Foundation
import HTTPTransport
import Basics
import TestTiers
import Testing

@testable import APIBaseStubs

/// One answered hop, without a session around it.
@Suite(.limited) struct AnswerTaskTests {
    private let url = URL(string: "http://api.example/") ?? URL(fileURLWithPath: "/")

    private var request: ExchangeRequest {
        ExchangeRequest(URLRequest(url: url), body: .data(Data("1234".utf8)))
    }

    private func exchange(_ body: Data) -> any EngineTask {
        AnswerTask(.status(200, data: body), to: request, sending: 4, clock: .immediate)
    }

    @Test func `A stubbed HTTP exchange reports connection, upload, response head, body and end in this order`() {
        let sink = Sink()
        exchange(Data("body".utf8)).start(request, observer: sink)
        #expect(sink.log == ["began", "connected", "sent 4", "head 200", "body 4", "finished"])
    }

    @Test func `A paused stubbed HTTP exchange delivers no more of the body, and resumes at the same byte`() async {
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let exchange = exchange(body)
        let sink = Sink(pausing: exchange, afterPieces: 3)
        exchange.start(request, observer: sink)
        let received = sink.received
        #expect(sink.log.count { $0.hasPrefix("body") } == 3)
        #expect(received == body.prefix(received.count))
        exchange.setPaused(false)
        await sink.end()
        #expect(sink.received == body)
        #expect(sink.log.count { $0 == "finished" } == 1)
    }

    @Test func `A canceled stubbed HTTP exchange delivers no more events when it is resumed`() {
        let exchange = exchange(Data(count: 300_000))
        let sink = Sink(pausing: exchange, afterPieces: 1)
        exchange.start(request, observer: sink)
        exchange.cancel()
        exchange.setPaused(false)
        #expect(sink.log.count { $0.hasPrefix("body") } == 1)
        #expect(!sink.log.contains("finished"))
    }
}

/// An observer of an engine's task that logs the events.
private final class Sink: EngineTaskObserver {
    private struct State {
        var log: [String] = []
        var received = Data()
        var pieces = 0
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())
    private let exchange: (any EngineTask)?
    private let pieces: Int

    init(pausing exchange: (any EngineTask)? = nil, afterPieces pieces: Int = .max) {
        self.exchange = exchange
        self.pieces = pieces
    }

    func hold() {}
    func release() {}

    var log: [String] { state.withLock { $0.log } }
    var received: Data { state.withLock { $0.received } }

    func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.waiting = continuation
                return state.log.contains("finished")
            }
            if isOver { resume() }
        }
    }

    private func resume() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    private func note(_ text: String) { state.withLock { $0.log.append(text) } }

    func began() { note("began") }
    func connected() { note("connected") }
    func sent(_ bytes: Int64, expected: Int64?) { note("sent \(bytes)") }
    func received(_ head: ResponseHead) { note("head \(head.statusCode)") }

    func received(_ data: Data) {
        let pauses = state.withLock { state in
            state.log.append("body \(data.count)")
            state.received += data
            state.pieces += 1
            return state.pieces == pieces
        }
        if pauses { exchange?.setPaused(true) }
    }

    func ended(_ error: TransportError?) {}
    func finished(_ failure: EngineFailure?, times: EngineTimes?) {
        note("finished")
        resume()
    }
}
