import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import Dispatch
import HostileServer
import TestTiers
import Testing

@testable import APIBaseCore
@testable import APIBaseLimits
@testable import APIBaseStreams

/// Counts that are published on a queue, as on Apple systems: the last one comes before the value.
@Suite(.tags(.concurrent), .limited) struct ProgressQueueTests {
    /// What is sent, and what stubs answer.
    private static let sent = Data(repeating: 1, count: 100_000)
    private static let text = String(repeating: "x", count: 200_000)

    /// A queue that does nothing until it is resumed.
    private let queue: DispatchQueue = {
        let queue = DispatchQueue(label: "ProgressQueueTests")
        queue.suspend()
        return queue
    }()

    private func call(_ queue: ProgressQueue?, _ answer: StubAnswer = .text(text)) -> Call {
        let stubs = Stubs()
        stubs.on().answer(answer)
        let call = Call("/x")
        (call.session, call.method, call.body) = (Announced(session: stubs), .post, Self.sent)
        call.progressQueue = queue
        return call
    }

    private func announced(_ call: APIBase) throws -> Announced { try #require(call.session as? Announced) }

    /// Waits until the exchange has ended, for the call as well.
    private func ended(_ call: APIBase) async throws { try await announced(call).end.value() }

    /// What a call has counted when its values and its end come.
    private final class Watch<Output>: Sendable {
        private let state = Locked(
            (atValues: [(Int64, Int64)](), atEnd: (Int64, Int64)?.none, line: AnyCancellable?.none)
        )
        let end = Later<Void>()

        init(_ call: APIBase, _ publisher: AnyPublisher<Output, any Error>) {
            let counts = { [weak call] in (call?.uploadProgress.sent ?? -1, call?.downloadProgress.received ?? -1) }
            let line = publisher.sink { [state, end] _ in
                state.withLock { $0.atEnd = counts() }
                end.set()
            } receiveValue: { [state] _ in
                state.withLock { $0.atValues.append(counts()) }
            }
            state.withLock { $0.line = line }
        }

        var sentAtValues: [Int64] { state.withLock { $0.atValues.map(\.0) } }
        var receivedAtValues: [Int64] { state.withLock { $0.atValues.map(\.1) } }
        var receivedAtEnd: Int64? { state.withLock { $0.atEnd?.1 } }
        func cancel() { state.withLockUnchecked { $0.line.take() }?.cancel() }
    }

    @Test func `A call delivers its value after its ProgressQueue has published the last byte count`() async throws {
        let call = call(ProgressQueue(queue, timeout: .never))
        let watch = Watch(call, call.start())
        try await ended(call)
        #expect(watch.sentAtValues == [] && !watch.end.isSet)
        queue.resume()
        try await watch.end.value()
        #expect(watch.sentAtValues == [100_000] && watch.receivedAtValues == [200_000])
    }

    @Test func `A call delivers its error after its ProgressQueue has published the last byte count`() async throws {
        let call = call(ProgressQueue(queue, timeout: .never), .text("12345").broken(off: .afterBytes(3)))
        let watch = Watch(call, call.start())
        try await ended(call)
        #expect(!watch.end.isSet)
        queue.resume()
        try await watch.end.value()
        #expect(watch.receivedAtValues == [] && watch.receivedAtEnd == 3)
    }

    @Test
    func `With a ProgressQueue, a stream's head follows its last upload count, its end the last download count`()
        async throws
    {
        let call = call(ProgressQueue(queue, timeout: .never))
        let head = Watch(call, call.sendStream())
        try await announced(call).head.value()
        #expect(head.sentAtValues == [])
        queue.resume()
        try await head.end.value()
        #expect(head.sentAtValues == [100_000])

        let other = DispatchQueue(label: "ProgressQueueTests")
        call.progressQueue = ProgressQueue(other, timeout: .never)
        call.session = Announced(session: try announced(call).session)
        let reply = try #require(try await finalOutcome(of: call.sendStream()).values.first)
        other.suspend()
        let end = Watch(call, reply.body)
        try await ended(call)
        #expect(!end.end.isSet)
        other.resume()
        try await end.end.value()
        #expect(end.receivedAtEnd == 200_000)
    }

    @Test
    func `Each of two shared calls gets its value after the last byte count on its own ProgressQueue`() async throws {
        let other = DispatchQueue(label: "ProgressQueueTests")
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text(Self.text).delayed(by: .seconds(1)))
        let calls = [queue, other].map { queue in
            let call = Call("/x")
            (call.session, call.sharing) = (stubs, .safeMethods)
            call.progressQueue = ProgressQueue(queue, timeout: .never)
            return call
        }
        let watches = calls.map { Watch($0, $0.start()) }
        clock.advance(by: .seconds(1))
        try await watches[1].end.value()
        #expect(watches[1].receivedAtValues == [200_000] && !watches[0].end.isSet)
        queue.resume()
        try await watches[0].end.value()
        #expect(watches[0].receivedAtValues == [200_000] && stubs.calls.count == 1)
    }

    @Test
    func `A blocked ProgressQueue delays one call's value until its timeout, and later calls not at all`() async throws
    {
        let progress = ProgressQueue(queue, timeout: .milliseconds(1))
        let first = call(progress)
        let watch = Watch(first, first.start())
        try await watch.end.value()
        #expect(watch.receivedAtValues == [0] && progress.isStuck)
        // What comes next does not wait.
        let next = ProgressReporter(call(progress), sending: .none)
        let isSettled = Locked(false)
        next.flush { isSettled.withLock { $0 = true } }
        #expect(isSettled.withLock { $0 })
        let counted = Later<Void>()
        let observer = first.$downloadProgress.sink { if $0.received == 200_000 { counted.set() } }
        queue.resume()
        try await counted.value()
        #expect(!progress.isStuck)
        withExtendedLifetime(observer) {}
    }

    @Test func `A call canceled while its ProgressQueue is blocked delivers nothing and is released`() async throws {
        let gone: Later<Void>
        let watch: Watch<APIBase.DataResponseTuple>
        do {
            let stubs = Stubs()
            stubs.on().answer(.text(Self.text))
            let call = LastCall()
            (call.session, call.progressQueue) = (Announced(session: stubs), ProgressQueue(queue, timeout: .never))
            gone = call.gone
            watch = Watch(call, call.startRequest())
            try await ended(call)
            watch.cancel()
        }
        queue.resume()
        // What waited has gone on, and has let go of the call.
        try await gone.value()
        #expect(watch.receivedAtValues == [] && !watch.end.isSet)
    }

    @Test func `A ProgressQueue that resumes after a block publishes only the last byte count`() async throws {
        let call = call(ProgressQueue(queue, timeout: .never), .text("12345").inChunks(of: 2))
        let counts = Locked<[Int64]>([])
        let observer = call.$downloadProgress.sink { count in counts.withLock { $0.append(count.received) } }
        let watch = Watch(call, call.start())
        try await ended(call)
        queue.resume()
        try await watch.end.value()
        #expect(counts.withLock { $0 } == [0, 5] && watch.receivedAtValues == [5])
        withExtendedLifetime(observer) {}
    }

    @Test func `The progress of an object begins anew with each call, also when its request has been removed`()
        async throws
    {
        let call = call(nil, .text("12345"))
        _ = try await Watch(call, call.start()).end.value()
        call.request = nil
        let counts = Locked<[Int64]>([])
        let observer = call.$downloadProgress.sink { count in counts.withLock { $0.append(count.received) } }
        _ = try await Watch(call, call.start()).end.value()
        #expect(counts.withLock { $0 } == [5, 0, 5])
        withExtendedLifetime(observer) {}
        queue.resume()
    }

    @Test func `A call without a ProgressQueue publishes every byte count`() async throws {
        let call = call(nil, .text("12345").inChunks(of: 2))
        let counts = Locked<[Int64]>([])
        let observer = call.$downloadProgress.sink { count in counts.withLock { $0.append(count.received) } }
        let watch = Watch(call, call.start())
        try await watch.end.value()
        #expect(counts.withLock { $0 } == [0, 2, 4, 5] && watch.receivedAtValues == [5])
        withExtendedLifetime(observer) {}
        queue.resume()
    }

    @Test func `A call to a real server delivers its value after its ProgressQueue's last byte counts`() async throws {
        queue.resume()
        let server = try HTTPServer { _ in .text(Self.text) }
        defer { server.stop() }
        for _ in 0..<20 {
            let call = Call(base: "http://127.0.0.1:\(server.port)", "/x")
            (call.method, call.body) = (.post, Self.sent)
            call.progressQueue = ProgressQueue(queue, timeout: .never)
            #expect(try await call.value().data.count == 200_000)
            #expect(call.uploadProgress == (100_000, 100_000) && call.downloadProgress == (200_000, 200_000))
        }
    }
}

/// Says when it is gone.
private final class LastCall: APIBase {
    let gone = Later<Void>()

    override init() {
        super.init()
        baseURL = URL(string: "http://api.example")
    }

    deinit { gone.set() }
}

/// A session that says when it has delivered the head of a reply, and the end.
private final class Announced: HTTPSession {
    let session: any HTTPSession
    let head = Later<Void>()
    let end = Later<Void>()

    init(session: any HTTPSession) { self.session = session }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        Events(upstream: session.exchange(request), session: self).eraseToAnyPublisher()
    }

    private struct Events: Publisher {
        typealias Output = ExchangeRequest.Event
        typealias Failure = TransportError

        let upstream: AnyPublisher<ExchangeRequest.Event, TransportError>
        let session: Announced

        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Reader(downstream: subscriber, session: session))
        }
    }

    private struct Reader: Subscriber {
        let downstream: any Subscriber<ExchangeRequest.Event, TransportError>
        let session: Announced
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

        func receive(_ event: ExchangeRequest.Event) -> Subscribers.Demand {
            let more = downstream.receive(event)
            if case .head = event { session.head.set() }
            return more
        }

        func receive(completion: Subscribers.Completion<TransportError>) {
            downstream.receive(completion: completion)
            session.end.set()
        }
    }
}
