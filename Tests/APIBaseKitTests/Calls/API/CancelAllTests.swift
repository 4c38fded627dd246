import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

private class Shop: APIBase {
    override init() {
        super.init()
        (baseURL, path) = (URL(string: "http://api.example"), "/x")
    }
}
private class Orders: Shop {}
private final class Returns: Orders {}

/// The cancel of all calls of a class.
@Suite(.tags(.concurrent), .limited) struct CancelAllTests {
    private static func stubs(_ answer: StubAnswer = .never, clock: StubClock = .manual(movedWithin: .seconds(120)))
        -> Stubs
    {
        let stubs = Stubs(clock: clock)
        stubs.on().optional().answer(answer)
        return stubs
    }

    /// Calls that run, and how each ends.
    private final class Running: Sendable {
        let ends: [Outcome<APIBase.DataResponseTuple, any Error>]
        private let lines: Locked<[AnyCancellable]>

        init(_ calls: [APIBase]) {
            ends = calls.map { _ in Outcome() }
            lines = Locked(uncheckedState: zip(ends, calls).map { $0.subscribe(to: $1.startRequest()) })
        }

        var isRunning: Bool { ends.allSatisfy { $0.completion == nil && $0.values.isEmpty } }
        var isCanceled: Bool { ends.allSatisfy { $0.failure is CancellationError && $0.values.isEmpty } }
    }

    @Test func `A class's cancelAll() cancels the calls of the class and its subclasses only`() {
        let (stubs, other) = (Self.stubs(), Self.stubs())
        other.runSynchronously {
            let foreign = Running([Orders()])
            stubs.runSynchronously {
                let (shop, orders) = (Running((0..<40).map { _ in Shop() }), Running((0..<30).map { _ in Orders() }))
                let returns = Running((0..<30).map { _ in Returns() })
                Returns.cancelAll()
                #expect(returns.isCanceled && shop.isRunning && orders.isRunning)
                let more = Running([Returns()])
                Orders.cancelAll()
                #expect(more.isCanceled && orders.isCanceled && shop.isRunning)
                Orders.cancelAll()
                #expect(shop.isRunning)
                APIBase.cancelAll()
                #expect(shop.isCanceled)
                let later = Running([Shop()])
                #expect(later.isRunning)
                Shop.cancelAll()
            }
            #expect(foreign.isRunning)
            Shop.cancelAll()
            #expect(foreign.isCanceled)
        }
    }

    @Test func `A call that has finished keeps its result when cancelAll() is called`() async throws {
        let stubs = Self.stubs(.text("ok"), clock: .immediate)
        try await stubs.run {
            let calls = Running([Shop(), Orders()])
            let haveEnded = try await holds { calls.ends.allSatisfy(\.isFinished) }
            #expect(haveEnded)
            Shop.cancelAll()
            #expect(calls.ends.allSatisfy { $0.isFinished && $0.values.count == 1 })
        }
    }

    @Test func `A call canceled by cancelAll() throws CancellationError and reports one failed event`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let (stubs, call) = (Self.stubs(clock: clock), WatchedCall())
        try await stubs.run {
            async let failure = call.failure()
            await clock.settled()
            let isSent = try await holds { call.story.last == "sent 1" }
            #expect(isSent)
            WatchedCall.cancelAll()
            #expect(await failure is CancellationError)
        }
        #expect(call.story == ["began 1", "sent 1", "cancelled"])
    }

    /// A call may be used inside its own delivery, and what is delivered stays.
    @Test func `A receiver that calls cancelAll() while it is given a value keeps that value`() async throws {
        let stubs = Self.stubs(.text("ok").inChunks(of: 1), clock: .immediate)
        try await stubs.run {
            let whole = Shop().startRequest().handleEvents(receiveOutput: { _ in Shop.cancelAll() })
            let first = try await finalOutcome(of: whole)
            #expect(first.values.count == 1 && first.isFinished)
            // Bodies are delivered outside of the scope.
            let scope = CallScope.here
            let body = Shop().sendStream().flatMap(\.body)
                .handleEvents(receiveOutput: { _ in scope.run { Shop.cancelAll() } })
            let second = try await finalOutcome(of: body)
            #expect(second.values.count == 1)
            #expect(second.failure is CancellationError, "\(String(describing: second.completion))")
        }
    }

    @Test
    func `Calls that start while cancelAll() is called repeatedly finish or throw CancellationError`() async throws {
        let stubs = Self.stubs(.text("ok").delayed(by: .milliseconds(1)), clock: .real)
        let rounds = load(200)
        try await stubs.run {
            let (isOver, canceled) = (Locked(false), Locked(0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var round = 0
                        // Until a cancel has met a call.
                        while round < rounds || canceled.withLock({ $0 }) == 0 {
                            round += 1
                            do {
                                for try await _ in CallSequence(Orders().startRequest()) {}
                            } catch is CancellationError {
                                canceled.withLock { $0 += 1 }
                            }
                        }
                    }
                }
                Task {
                    while !isOver.withLock({ $0 }) {
                        Orders.cancelAll()
                        await Task.yield()
                    }
                }
                let shop = Running([Shop()])
                defer { isOver.withLock { $0 = true } }
                try await group.waitForAll()
                let isFinished = try await holds { shop.ends[0].isFinished }
                #expect(isFinished)
            }
        }
    }
}

// MARK: What a call is doing

extension CancelAllTests {
    /// A state of a call, in which it is canceled.
    struct Moment: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var answer: StubAnswer = .never
        /// The number of requests when the state is reached.
        var requests = 1
        let start: @Sendable (_ file: URL) -> AnyPublisher<Void, any Error>
        var isReached: @Sendable (Stubs) -> Bool = { _ in true }
    }

    private static func publisher(
        _ change: @Sendable @escaping (Shop) -> Void = { _ in },
        _ publisher: @Sendable @escaping (Shop) -> AnyPublisher<Void, any Error>
    ) -> @Sendable (URL) -> AnyPublisher<Void, any Error> {
        { _ in
            let shop = Shop()
            change(shop)
            return publisher(shop)
        }
    }

    private static func whole(
        _ change: @Sendable @escaping (Shop) -> Void = { _ in }
    ) -> @Sendable (URL) -> AnyPublisher<Void, any Error> {
        publisher(change) { $0.startRequest().map { _ in }.eraseToAnyPublisher() }
    }

    private static func events(_ text: String) -> StubAnswer {
        .status(200, headers: ["Content-Type": "text/event-stream"], data: Data(text.utf8))
    }

    /// The gate is held by another call of the same class.
    private static func gated() -> @Sendable (URL) -> AnyPublisher<Void, any Error> {
        let gate = CallGate(concurrent: 1)
        return { _ in
            let calls = (0..<2).map { _ -> Shop in
                let call = Shop()
                call.gate = gate
                return call
            }
            return calls.publisher.setFailureType(to: (any Error).self)
                .flatMap { $0.startRequest() }
                .map { _ in }
                .eraseToAnyPublisher()
        }
    }

    private static let waitsForRetry: @Sendable (Stubs) -> Bool = { $0.waits.map(\.reason) == [.retry] }
    private static let waitsForConnection: @Sendable (Stubs) -> Bool = { $0.waits.map(\.reason) == [.reconnection] }
    private static let slow = StubAnswer.text("one, two").inChunks(of: 4, every: .seconds(1))

    static let moments: [Moment] = [
        Moment(testDescription: "waits for the head", start: whole()),
        Moment(
            testDescription: "waits for a retry",
            answer: .status(503),
            start: whole { $0.retry = .standard },
            isReached: waitsForRetry
        ),
        Moment(testDescription: "waits at the gate", start: gated()),
        Moment(
            testDescription: "waits for a token",
            requests: 0,
            start: whole {
                $0.authorization = .tokens(
                    TokenSource { _ in
                        try await CallScope.sleep(for: .seconds(9))
                        return Token("a")
                    }
                )
            },
            isReached: { $0.waits.map(\.reason) == [.sleep] }
        ),
        Moment(testDescription: "waits for an equal call", start: whole { $0.sharing = .safeMethods }),
        Moment(
            testDescription: "waits for the head of a stream",
            start: publisher { $0.sendStream().map { _ in }.eraseToAnyPublisher() }
        ),
        Moment(
            testDescription: "reads the body of a stream",
            answer: slow,
            start: publisher { $0.sendStream().flatMap(\.body).map { _ in }.eraseToAnyPublisher() },
            isReached: { $0.clock.nextWait == .seconds(1) }
        ),
        Moment(
            testDescription: "reads events",
            answer: events("data: 1\n\ndata: 2\n\n").inChunks(of: 9, every: .seconds(1)),
            start: publisher { $0.serverSentEvents().map { _ in }.eraseToAnyPublisher() },
            isReached: { $0.clock.nextWait == .seconds(1) }
        ),
        Moment(
            testDescription: "waits to reconnect",
            answer: events("data: 1\n\n"),
            start: publisher { $0.serverSentEvents().map { _ in }.eraseToAnyPublisher() },
            isReached: waitsForConnection
        ),
        Moment(
            testDescription: "downloads",
            answer: slow,
            start: { Shop().download(to: $0).map { _ in }.eraseToAnyPublisher() },
            isReached: { $0.clock.nextWait == .seconds(1) }
        ),
        Moment(
            testDescription: "waits to resume a download",
            answer: .text("one, two", headers: ["ETag": "\"a\""]).broken(off: .afterBytes(4)),
            start: { file in
                let shop = Shop()
                shop.retry = RetryPolicy(backoff: .constant(.seconds(5)))
                return shop.download(to: file).map { _ in }.eraseToAnyPublisher()
            },
            isReached: waitsForConnection
        ),
    ]

    @Test(arguments: moments)
    func `A call that cancelAll() cancels in any state throws CancellationError and sends nothing more`(
        _ moment: Moment
    )
        async throws
    {
        let (clock, folder) = (StubClock.manual(movedWithin: .seconds(120)), DownloadFolder())
        let stubs = Self.stubs(moment.answer, clock: clock)
        let (outcome, line) = stubs.runSynchronously {
            let outcome = Outcome<Void, any Error>()
            return (outcome, outcome.subscribe(to: moment.start(folder.file)))
        }
        defer { line.cancel() }
        #expect(try await holds { stubs.calls.count == moment.requests && moment.isReached(stubs) })
        stubs.runSynchronously { Returns.cancelAll() }
        #expect(outcome.completion == nil)
        stubs.runSynchronously { Shop.cancelAll() }
        // The head of a stream may be in delivery on another thread, whose end comes first.
        #expect(try await holds { outcome.failure is CancellationError })
        clock.advance(by: .seconds(3_600))
        #expect(stubs.calls.count == moment.requests)
    }

    @Test func `The unread body of a streamed reply fails with CancellationError after cancelAll()`() async throws {
        let stubs = Self.stubs(Self.slow)
        let call = WatchedCall()
        let reply = try await stubs.run { try await #require(finalOutcome(of: call.sendStream()).values.first) }
        stubs.runSynchronously { WatchedCall.cancelAll() }
        #expect(call.story.last == "cancelled")
        #expect(try await finalOutcome(of: reply.body).failure is CancellationError)
    }
}
