import Dispatch
import Foundation
import HTTPTransport
import Locking
import PortableCombine
import Testing

/// What every engine gets from the subscription, whatever it can do.
@Suite struct EngineTests {
    private let url = URL(string: "http://127.0.0.1/") ?? URL(fileURLWithPath: "/")
    private let chunk = Data(repeating: 1, count: 100_000)

    @Test func unreadBytesHoldTheSender() async throws {
        let session = ManualSession()
        let recorder = Recorder<ExchangeEvent, TransportError>(.max(1))
        session.events(for: make(.get, url) { $0.idle = nil }).subscribe(recorder)
        let exchange = try #require(session.engine.exchanges.first)
        exchange.answer(url)
        #expect(await recorder.wait { $0.values.count == 1 })
        for _ in 0..<2 { exchange.sink?.received(chunk) }
        #expect(!exchange.isPaused)
        for _ in 0..<8 { exchange.sink?.received(chunk) }
        #expect(exchange.isPaused)
        recorder.request(.max(5))
        #expect(await recorder.wait { $0.values.count == 6 })
        #expect(exchange.isPaused, "half a megabyte still waits")
        recorder.request(.max(5))
        #expect(await settles { !exchange.isPaused })
        exchange.sink?.finished(nil)
        #expect(await recorder.end() != nil)
        #expect(exchange.calls == ["start", "pause", "resume"])
    }

    /// The sender and the reader go as fast as they can, each on its own thread.
    @Test func theSenderIsNeverForgotten() async throws {
        let session = ManualSession()
        let recorder = Recorder<ExchangeEvent, TransportError>(.max(1)) { _ in .max(1) }
        let request = make(.get, url) { limits in
            limits.responseBytes = .max
            limits.idle = nil
        }
        session.events(for: request).subscribe(recorder)
        let exchange = try #require(session.engine.exchanges.first)
        exchange.answer(url)
        let chunk = chunk
        let sender = Task.detached {
            for _ in 0..<2_000 {
                guard await settles(.seconds(20), { !exchange.isPaused }) else { return false }
                exchange.sink?.received(chunk)
            }
            exchange.sink?.finished(nil)
            return true
        }
        #expect(await sender.value)
        guard case .finished = await recorder.end() else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        #expect(recorder.values.count == 2_001)
        #expect(recorder.overlaps == 0)
        #expect(exchange.log.withLock { $0.overlaps } == 0)
    }

    @Test func aHeldSenderIsNotIdle() async throws {
        let session = ManualSession()
        let recorder = Recorder<ExchangeEvent, TransportError>(.max(1))
        session.events(for: make(.get, url) { $0.idle = .milliseconds(150) }).subscribe(recorder)
        let exchange = try #require(session.engine.exchanges.first)
        exchange.answer(url)
        for _ in 0..<8 { exchange.sink?.received(chunk) }
        #expect(exchange.isPaused)
        #expect(await !settles(.milliseconds(600)) { recorder.completion != nil })
        recorder.request(.unlimited)
        guard case .failure(let error) = await recorder.end() else {
            Issue.record("it should be idle once it may go on")
            return
        }
        #expect(error.reason == .timedOut(which: .idle, after: .milliseconds(150)))
        #expect(exchange.calls == ["start", "pause", "resume", "cancel"])
    }

    @Test func connectingHasATimeOfItsOwn() async throws {
        let session = ManualSession { $0.sink?.began() }
        let request = make(.get, url) { $0.connect = .milliseconds(150) }
        let error = await session.fetch(request)?.error
        #expect(error?.reason == .timedOut(which: .connect, after: .milliseconds(150)))
        #expect(error?.phase == .connect)
        #expect(session.engine.exchanges.first?.calls == ["start", "cancel"])

        let recorder = Recorder<Whole, TransportError>()
        session.response(to: request).subscribe(recorder)
        let exchange = try #require(session.engine.exchanges.last)
        exchange.answer(url)
        #expect(await !settles(.milliseconds(400)) { recorder.completion != nil })
        exchange.sink?.finished(nil)
        #expect(await recorder.end() != nil)
        #expect(recorder.values.count == 1)
    }

    @Test func noClockRunsBeforeTheTurn() async throws {
        let session = ManualSession()
        let recorder = Recorder<Whole, TransportError>()
        let request = make(.get, url) { limits in
            limits.idle = .milliseconds(100)
            limits.total = .milliseconds(100)
            limits.connect = .milliseconds(100)
        }
        session.response(to: request).subscribe(recorder)
        #expect(await !settles(.milliseconds(400)) { recorder.completion != nil })
        session.engine.exchanges.first?.sink?.began()
        #expect(await recorder.end() != nil)
    }

    /// The engine ends, a clock runs out and the subscriber cancels, all at once: one end at most, and none after a
    /// cancel but what was on its way.
    @Test func onlyOneEndWhateverRaces() async throws {
        let session = ManualSession { $0.sink?.began() }
        let url = url
        for round in 0..<300 {
            let recorder = Recorder<ExchangeEvent, TransportError>()
            session.events(for: make(.get, url) { $0.total = .milliseconds(round % 3) }).subscribe(recorder)
            let exchange = try #require(session.engine.exchanges.last)
            let sink = exchange.sink
            let isCancelled = round % 2 == 0
            let late = Locked(0)
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    DispatchQueue.concurrentPerform(iterations: 3) { index in
                        switch index {
                        case 0: sink?.received(ResponseHead(statusCode: 200, headers: [:], url: url))
                        case 1: sink?.finished(round % 5 == 0 ? EngineFailure(reason: .connectionLost) : nil)
                        default:
                            guard isCancelled else { return }
                            recorder.cancel()
                            late.withLock { $0 = recorder.deliveries }
                        }
                    }
                    continuation.resume()
                }
            }
            if isCancelled {
                try await Task.sleep(for: .milliseconds(1))
                #expect(recorder.deliveries - late.withLock { $0 } <= 1)
                #expect(recorder.completions <= 1)
            } else {
                #expect(await recorder.end() != nil)
                #expect(recorder.completions == 1)
            }
            #expect(recorder.overlaps == 0)
            #expect(exchange.calls.filter { $0 == "cancel" }.count <= 1)
        }
    }

    @Test func aRefusedRequestNeverReachesTheEngine() async throws {
        let session = ManualSession()
        let recorder = Recorder<ExchangeEvent, TransportError>()
        session.exchange(make(.get, url, ["Bad Name": "x"])).subscribe(recorder)
        #expect(await recorder.end() != nil)
        #expect(session.engine.exchanges.isEmpty)
    }
}
