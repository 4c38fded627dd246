import APIBaseStubs
import Basics
import Foundation
import TestTiers
import Testing

/// Every limit, and back-pressure. Replays answer with the same engine.
@Suite(.tags(.concurrent), .limited) struct LimitTests {
    @Test(arguments: [
        (StubAnswer.fault(.tls).delayed(by: .seconds(5)), TransportError.Clock.connect),
        (.fault(.connectionRefused).delayed(by: .never), .connect), (.text("late").delayed(by: .seconds(7)), .idle),
        (.text("12345").inChunks(of: 1, every: .seconds(7)), .idle),
        (.text("12345").inChunks(of: 1, every: .seconds(4)), .total), (.never, .idle),
        (.fault(.connectionLost).delayed(by: .seconds(30)), .idle),
    ])
    func `A late stubbed answer fails with timedOut of the connect, idle or total limit that ends first`(
        answer: StubAnswer,
        clock: TransportError.Clock
    ) async {
        let stubs = Stubs()
        stubs.on().answer(answer)
        let call = Call()
        call.session = stubs
        (call.limits.connect, call.limits.idle, call.timeout) = (.seconds(3), .seconds(6), .seconds(15))
        let limit: Duration = clock == .connect ? .seconds(3) : clock == .idle ? .seconds(6) : .seconds(15)
        #expect(await call.outcome() == .failure(.timedOut(which: clock, after: limit)))
    }

    @Test func `A stubbed fault that comes before the connect limit fails the call with its own reason`() async {
        let stubs = Stubs()
        stubs.on().answer(.fault(.tls).delayed(by: .seconds(2)))
        let call = Call()
        call.session = stubs
        call.limits.connect = .seconds(3)
        #expect(await call.outcome() == .failure(.tls))
    }

    @Test(arguments: [(25, true), (35, false)])
    func `The total timeout of a call includes the time of all its stubbed redirects`(seconds: Int, isTooLittle: Bool)
        async
    {
        let stubs = Stubs()
        let moved = StubAnswer.status(302, headers: ["Location": "/v1/new"]).delayed(by: .seconds(10))
        stubs.on(.get, "/new").answer(inOrder: moved, moved, .text("there").delayed(by: .seconds(10)))
        let call = Call(.get, "/new")
        call.session = stubs
        call.timeout = .seconds(seconds)
        let timedOut = TransportError.Reason.timedOut(which: .total, after: .seconds(seconds))
        #expect(await call.outcome() == (isTooLittle ? .failure(timedOut) : .success("there")))
    }

    @Test
    func `A stubbed body of limits.responseBytes bytes arrives, and one byte more fails with tooLarge`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text(String(repeating: "x", count: 100_000)))
        let call = Call()
        call.session = stubs
        call.limits.responseBytes = 99_999
        #expect(await call.outcome() == .failure(.tooLarge(.responseBytes, limit: 99_999)))
        call.limits.responseBytes = 100_000
        #expect(try await call.value().data.count == 100_000)
    }

    /// The next test shows that the rest waits while a subscriber requests nothing.
    @Test func `A stubbed body of 1 MB arrives in 64 pieces of at most 16 kB`() async throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        let stubs = Stubs()
        stubs.on().answer(.text(text))
        let request = ExchangeRequest(URLRequest(url: try #require(URL(string: "http://api.example/things"))))
        var (bytes, pieces) = (Data(), 0)
        for try await event in stubs.exchange(request).values {
            guard case .body(let piece) = event else { continue }
            bytes += piece
            pieces += 1
            #expect(piece.count <= 16 << 10)
        }
        #expect(bytes == Data(text.utf8))
        #expect(pieces == 64)
    }

    @Test func `The total timeout ends a stubbed call even while its subscriber requests no more events`() throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text(String(repeating: "x", count: 1 << 20)))
        var request = ExchangeRequest(URLRequest(url: try #require(URL(string: "http://api.example/things"))))
        request.limits.total = .seconds(10)
        let (received, ended) = (Locked(0), DispatchSemaphore(value: 0))
        let reason = Locked<TransportError.Reason?>(nil)
        let reader = Reader { event in
            if case .body(let data) = event { received.withLock { $0 += data.count } }
        } ended: { completion in
            if case .failure(let error) = completion { reason.withLock { $0 = error.reason } }
            ended.signal()
        }
        stubs.exchange(request).subscribe(reader)
        reader.ask(.max(4))
        clock.advance(by: .seconds(11))
        reader.ask(.unlimited)
        #expect(ended.wait(timeout: .now() + 120) == .success)
        #expect(reason.withLock { $0 } == .timedOut(which: .total, after: .seconds(10)))
        #expect(received.withLock { $0 } < 1 << 20)
    }
}

/// A subscriber whose demand is set from outside.
private final class Reader: Subscriber, @unchecked Sendable {
    typealias Input = ExchangeRequest.Event
    typealias Failure = TransportError

    private let subscription = Locked<(any Subscription)?>(nil)
    private let received: @Sendable (ExchangeRequest.Event) -> Void
    private let ended: @Sendable (Subscribers.Completion<TransportError>) -> Void

    init(
        _ received: @escaping @Sendable (ExchangeRequest.Event) -> Void,
        ended: @escaping @Sendable (Subscribers.Completion<TransportError>) -> Void
    ) {
        self.received = received
        self.ended = ended
    }

    func receive(subscription: any Subscription) { self.subscription.withLockUnchecked { $0 = subscription } }

    func receive(_ input: ExchangeRequest.Event) -> Subscribers.Demand {
        received(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<TransportError>) { ended(completion) }

    func ask(_ demand: Subscribers.Demand) { subscription.withLock { $0 }?.request(demand) }
}
