import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import StrictJSON
import TestTiers
import Testing

/// A response whose decoding takes long, and what ends it.
@Suite(.tags(.concurrent), .limited) struct DecodingEndTests {
    enum End: CaseIterable, Sendable {
        case task, subscription, allCalls, allCallsOfTask, deadline, deadlineOfTask

        /// Whether the task that awaits the value decodes it.
        var isInTask: Bool { [.task, .allCallsOfTask, .deadlineOfTask].contains(self) }
        var isDeadline: Bool { [.deadline, .deadlineOfTask].contains(self) }
    }

    /// What a value does when its decoding begins, and the error with which that ends.
    private final class Hook: Sendable {
        static let key = CodingUserInfoKey(rawValue: "hook")

        let ends: AsyncStream<any Error>
        private let end: AsyncStream<any Error>.Continuation
        private let action = Locked<(@Sendable () -> Void)?>(nil)

        init() { (ends, end) = AsyncStream.makeStream() }

        func onBegin(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }
        func begin() { action.withLock { $0 }?() }
        func ended(by error: any Error) { end.yield(error) }
    }

    /// Reads itself again and again, until the decoder refuses.
    private struct Endless: Decodable, Sendable {
        init(from decoder: any Decoder) throws {
            let hook = try #require(Hook.key.flatMap { decoder.userInfo[$0] } as? Hook)
            hook.begin()
            do {
                for _ in 0..<10_000 { _ = try JSONValue(from: decoder) }
                hook.ended(by: RequestError.noValue)
            } catch {
                hook.ended(by: error)
                // As a type that does not tell why.
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it ended"))
            }
        }
    }

    private final class EndlessRequest: JSONAPI, Request {
        typealias ModelType = Endless

        init(_ hook: Hook, strict: Bool) {
            super.init()
            (baseURL, path) = (URL(string: "http://api.example"), "/x")
            if let key = Hook.key { decoder.userInfo[key] = hook }
            usesStrictJSON = strict
            retry = RetryPolicy(deadline: .seconds(5))
        }
    }

    /// What is decoded otherwise, by another decoder and of more than a thousand objects, is no part of the response.
    private static func decodeOther() throws {
        let text = Data("[\(Array(repeating: "{}", count: 3_000).joined(separator: ","))]".utf8)
        _ = try JSONDecoder().decode(JSONValue.self, from: text)
        _ = try StrictJSONDecoder().decode([JSONValue].self, from: text)
    }

    private final class Bytes: APIBase, Request {
        override init() {
            super.init()
            (baseURL, path) = (URL(string: "http://api.example"), "/x")
        }
        func start() -> AnyPublisher<Data, any Error> { sendRequest().map(\.data).eraseToAnyPublisher() }
    }

    @Test func `A subscriber that cancels in its value decodes other things to their end`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.json("1"))
        let result = Later<Result<Void, any Error>>()
        let subscription = Locked<(any Subscription)?>(uncheckedState: nil)
        // The publisher of the call itself, whose delivery lasts as long as the subscriber.
        let published = await stubs.runUnchecked {
            Bytes().sendRequest()
                .handleEvents(receiveSubscription: { new in subscription.withLockUnchecked { $0 = new } })
                .sink(receiveCompletion: { _ in }) { _ in
                    subscription.withLockUnchecked { $0 }?.cancel()
                    result.set(Result { try Self.decodeOther() })
                }
        }
        try await result.value().get()
        withExtendedLifetime(published) {}
    }

    private final class Pages: JSONAPI, PagedRequest {
        typealias ModelType = Data
        override init() {
            super.init(.get("/x"))
            baseURL = URL(string: "http://api.example")
        }
        let results = Locked<[Result<Void, any Error>]>([])
        func start() -> AnyPublisher<Data, any Error> { sendRequest().map(\.data).eraseToAnyPublisher() }
        func nextPage(after page: Data, _ response: HTTPURLResponse) -> NextPage? {
            let result = Result { try DecodingEndTests.decodeOther() }
            results.withLock { $0.append(result) }
            return results.withLock { $0.count } < 3 ? .query(["page": "\(results.withLock { $0.count })"]) : nil
        }
    }

    @Test func `A page that is delivered is read to its end by nextPage`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.json("1"))
        let pages = Pages()
        let count = try await stubs.run {
            var count = 0
            for try await _ in pages.pages().values { count += 1 }
            return count
        }
        #expect(count == 3)
        for result in pages.results.withLock({ $0 }) { try result.get() }
    }

    @Test(arguments: End.allCases, [true, false])
    func `Decoding stops with the error of the call when that is canceled or its deadline passes`(
        end: End,
        strict: Bool
    ) async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let (stubs, hook) = (Stubs(clock: clock), Hook())
        stubs.on().answer(.json(#"{"a": [1]}"#))
        try await stubs.run {
            let subscription = Locked<(any Subscription)?>(uncheckedState: nil)
            let (start, goOn) = AsyncStream<Void>.makeStream()
            let task = Task {
                for await _ in start { break }
                let request = EndlessRequest(hook, strict: strict)
                if end.isInTask { return try await request.value() }
                let values: AnyPublisher<Endless, any Error> = request.start()
                let watched = values.handleEvents(receiveSubscription: { new in
                    subscription.withLockUnchecked { $0 = new }
                })
                if let failure = try await finalOutcome(of: watched).failure { throw failure }
                throw RequestError.noValue
            }
            hook.onBegin {
                switch end {
                case .task: task.cancel()
                case .subscription: subscription.withLockUnchecked { $0 }?.cancel()
                case .allCalls, .allCallsOfTask: EndlessRequest.cancelAll()
                case .deadline, .deadlineOfTask: clock.advance(by: .seconds(6))
                }
            }
            goOn.yield()
            for await error in hook.ends {
                #expect(end.isDeadline ? error is TransportError : error is CancellationError)
                break
            }
            // Whoever has canceled the subscription is told nothing.
            if end == .subscription { return }
            let failure = await #expect(throws: (any Error).self) { try await task.value }
            let isTimeout = (failure as? TransportError)?.reason == .timedOut(which: .total, after: .seconds(5))
            #expect(end.isDeadline ? isTimeout : failure is CancellationError)
        }
    }
}
