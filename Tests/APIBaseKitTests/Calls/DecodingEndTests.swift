import APIBaseKit
import APIBaseStubs
import Basics
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
