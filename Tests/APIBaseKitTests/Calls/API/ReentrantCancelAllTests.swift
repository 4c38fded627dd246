import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// A call whose own code cancels all calls at one place.
private final class Inside: JSONAPI, EventRequest, @unchecked Sendable {
    typealias EventType = Int

    let story = Locked<[String]>([])
    private let place: String
    /// Some events are reported outside of the scope.
    private let scope = CallScope.here

    init(_ place: String, retry: RetryPolicy = .none) {
        self.place = place
        super.init(.get("/x"))
        baseURL = URL(string: "http://api.example")
        self.retry = retry
    }

    private func arrives(at place: String) {
        story.withLock { $0.append(place) }
        if place == self.place { scope.run { Inside.cancelAll() } }
    }

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        arrives(at: "intercept")
        return super.intercept(request, next: next)
    }

    override func report(_ event: CallEvent) {
        switch event {
        case .began: arrives(at: "began")
        case .sent: arrives(at: "sent")
        case .head: arrives(at: "head")
        case .retrying: arrives(at: "retrying")
        case .ended: arrives(at: "ended")
        case .failed(let error, _): arrives(at: error is CancellationError ? "canceled" : "failed")
        default: break
        }
    }

    override func redirect(_ request: URLRequest, after response: HTTPURLResponse) -> URLRequest? {
        arrives(at: "redirect")
        return request
    }

    override func retryDelay(after attempt: RetryPolicy.FailedAttempt) -> Duration? {
        arrives(at: "retryDelay")
        return super.retryDelay(after: attempt)
    }

    override func lifetime(of response: HTTPURLResponse) -> Duration? {
        arrives(at: "lifetime")
        return .seconds(60)
    }

    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        arrives(at: "decode")
        return try super.decode(type, from: data)
    }
}

/// A call whose body is read while another thread cancels all calls. The cancel gives the body up before the reader
/// subscribes to it.
private final class Raced: APIBase, @unchecked Sendable {
    let ends = Locked<[any Error]>([])
    let hasEnded = DispatchSemaphore(value: 0)
    private let subscriptions = Locked(0)
    private let isGivenUp = DispatchSemaphore(value: 0)
    private let scope = CallScope.here

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        next(request).map { [self] reply in StreamedReply(response: reply.response, body: raced(reply.body)) }
            .eraseToAnyPublisher()
    }

    private func raced(_ body: AnyPublisher<Data, any Error>) -> AnyPublisher<Data, any Error> {
        Deferred { [self] in
            let number = subscriptions.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                Thread.detachNewThread { [self] in scope.run { Raced.cancelAll() } }
                _ = isGivenUp.wait(timeout: .now() + 60)
            } else {
                body.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
                isGivenUp.signal()
                _ = hasEnded.wait(timeout: .now() + 60)
            }
            return body
        }
        .eraseToAnyPublisher()
    }

    override func report(_ event: CallEvent) {
        if case .failed(let error, _) = event { ends.withLock { $0.append(error) } }
    }
}

/// All calls are canceled by the code of one of them.
@Suite(.tags(.concurrent), .limited) struct ReentrantCancelAllTests {
    private static func events(_ text: String) -> StubAnswer {
        .status(200, headers: ["Content-Type": "text/event-stream"], data: Data(text.utf8))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The number of requests that are sent.
        let requests: Int
        var first: StubAnswer = ReentrantCancelAllTests.events("data: 1\n\ndata: 2\n\n")
        var values: [Int] = []
        var isCanceled = true
    }

    private static let moved = StubAnswer.status(307, headers: ["Location": "/y"])

    private static let cases = [
        Case(testDescription: "began", requests: 0),
        Case(testDescription: "intercept", requests: 0),
        Case(testDescription: "sent", requests: 0),
        Case(testDescription: "redirect", requests: 1, first: moved),
        Case(testDescription: "head", requests: 1),
        Case(testDescription: "retryDelay", requests: 1, first: .status(503)),
        Case(testDescription: "retrying", requests: 1, first: .status(503)),
        Case(testDescription: "decode", requests: 1, values: [1]),
        // What has been reported as the end is the end.
        Case(testDescription: "ended", requests: 1, values: [1, 2], isCanceled: false),
        Case(testDescription: "failed", requests: 1, first: .status(400), isCanceled: false),
    ]

    @Test(arguments: cases)
    func `A call whose own override or event report calls cancelAll() ends exactly once`(_ one: Case) async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().optional().answer(inOrder: one.first, Self.events("data: 1\n\ndata: 2\n\n"))
        let call = stubs.runSynchronously { Inside(one.testDescription, retry: .standard) }
        let outcome = try await stubs.run { try await finalOutcome(of: call.events()) }
        #expect(outcome.values == one.values)
        #expect((outcome.failure is CancellationError) == one.isCanceled, "\(outcome.completion.debugDescription)")
        #expect(stubs.calls.count == one.requests)
        #expect(call.story.withLock { $0.count { ["ended", "failed", "canceled"].contains($0) } } == 1)
    }

    @Test
    func `A streamed body fails with CancellationError when cancelAll() precedes its subscription`() async throws {
        let stubs = Stubs(clock: .manual(movedWithin: .seconds(120)))
        stubs.on().answer(.text("one, two").inChunks(of: 4, every: .seconds(1)))
        let call = stubs.runSynchronously { Raced() }
        call.baseURL = URL(string: "http://api.example")
        let outcome = try await stubs.run {
            let body = call.sendStream().flatMap(\.body)
            return try await finalOutcome(of: body.handleEvents(receiveCompletion: { _ in call.hasEnded.signal() }))
        }
        #expect(outcome.values.isEmpty && outcome.failure is CancellationError)
        #expect(call.ends.withLock { $0.count } == 1 && call.ends.withLock { $0.first } is CancellationError)
    }

    @Test
    func `A call with a cache fails with CancellationError when its lifetime(of:) calls cancelAll()`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1"))
        let (call, cache) = (stubs.runSynchronously { Inside("lifetime") }, ResponseCache())
        call.cache = cache
        let outcome = try await stubs.run { try await finalOutcome(of: call.decoded(Int.self)) }
        #expect(outcome.values.isEmpty && outcome.failure is CancellationError)
        // The cache goes on as before.
        let next = Inside("")
        next.cache = cache
        let second = try await stubs.run { try await finalOutcome(of: next.decoded(Int.self)) }
        #expect(second.values == [1])
    }

    /// A cancel in the completion of another cancel finds nothing that runs, so that the stack does not grow.
    @Test func `Calls whose completion calls cancelAll() are canceled one after another, not recursively`() {
        let stubs = Stubs(clock: .manual(movedWithin: .seconds(120)))
        stubs.on().optional().answer(.never)
        let depths = Locked((now: 0, longest: 0, ends: 0))
        stubs.runSynchronously {
            let count = load(500)
            let lines = (0..<count).map { _ in
                Inside("").events().sink { _ in
                    depths.withLock { $0 = ($0.now + 1, max($0.longest, $0.now + 1), $0.ends + 1) }
                    Inside.cancelAll()
                    depths.withLock { $0.now -= 1 }
                } receiveValue: { _ in
                }
            }
            Inside.cancelAll()
            #expect(depths.withLock { $0.ends } == count && depths.withLock { $0.longest } == 1)
            withExtendedLifetime(lines) {}
        }
    }

    /// A subscription that is canceled by the completion of another, in the same cancel of all, delivers nothing.
    @Test func `A call that another call's completion cancels during cancelAll() gets no completion`() {
        let stubs = Stubs(clock: .manual(movedWithin: .seconds(120)))
        stubs.on().optional().answer(.never)
        let (takers, ends) = (Locked<[Taker<ServerSentEvent>]>([]), Locked(0))
        stubs.runSynchronously {
            let all = (0..<3).map { _ in
                Taker(
                    Inside("").replyEvents().handleEvents(receiveCompletion: { _ in
                        ends.withLock { $0 += 1 }
                        for taker in takers.withLock({ $0 }) { taker.cancel() }
                    })
                )
            }
            takers.withLock { $0 = all }
            Inside.cancelAll()
            #expect(ends.withLock { $0 } == 1)
            takers.withLock { $0 = [] }
        }
    }
}
