import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// Second copies of calls, on the stubs' clock.
@Suite(.tags(.concurrent), .limited) struct HedgeTests {
    private let clock = StubClock.manual(movedWithin: .seconds(120))
    private let stubs: Stubs

    init() { stubs = Stubs(clock: clock) }

    private func calls(
        _ count: Int = 1,
        _ method: HTTPMethod = .get,
        _ hedge: Hedge? = .after(.milliseconds(80)),
        retry: RetryPolicy = .none
    ) async -> Calls {
        await stubs.runUnchecked {
            Calls(
                (0..<count).map { _ in
                    let call = WatchedCall(method, retry: retry)
                    call.hedge = hedge
                    return call
                }
            )
        }
    }

    private static let slow = StubAnswer.text("slow").delayed(by: .seconds(1))

    /// The events of a call with a copy, with the status of the answer that counts.
    private static func story(_ status: Int) -> [String] {
        ["began 1", "sent 1", "noted", "sent 1", "head \(status)", "ended \(status)"]
    }

    @Test func `A call without an answer is sent again, and the first answer counts`() async throws {
        stubs.on().answer(inOrder: Self.slow, .text("fast").delayed(by: .milliseconds(5)))
        let calls = await calls()
        clock.advance(by: .milliseconds(79))
        #expect(stubs.calls.count == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await holds { stubs.calls.count == 2 })
        clock.advance(by: .milliseconds(5))
        #expect(try await holds { calls.ended == 1 && clock.waits == 0 })
        #expect(calls.stories == [Self.story(200)])
    }

    @Test func `The first copy counts if it is answered before the second`() async throws {
        stubs.on().answer(inOrder: .status(201).delayed(by: .milliseconds(90)), Self.slow)
        let calls = await calls()
        clock.advance(by: .milliseconds(80))
        #expect(try await holds { stubs.calls.count == 2 })
        clock.advance(by: .milliseconds(10))
        #expect(try await holds { calls.ended == 1 && clock.waits == 0 })
        #expect(calls.stories[0].last == "ended 201")
    }

    @Test(
        arguments: [
            (.post, .after(.milliseconds(80))), (.put, .after(.milliseconds(80))), (.delete, .after(.milliseconds(80))),
            (.get, nil), (.get, .after(percentile: 95)),
        ] as [(HTTPMethod, Hedge?)]
    )
    func `Nothing is sent twice with another method, without a hedge, or while the pace is not known`(
        method: HTTPMethod,
        hedge: Hedge?
    ) async throws {
        stubs.on().answer(Self.slow)
        let calls = await calls(1, method, hedge)
        clock.advance(by: .seconds(1))
        #expect(try await holds { calls.ended == 1 })
        #expect(stubs.calls.count == 1)
    }

    @Test func `A copy that fails does not count while the other is under way`() async throws {
        for failure in [StubAnswer.status(503), .fault(.connectionLost), .status(429), .status(401), .status(404)] {
            let stubs = Stubs(clock: clock)
            stubs.on().answer(inOrder: Self.slow, failure)
            let call = WatchedCall()
            call.hedge = .after(.milliseconds(80))
            let calls = await stubs.runUnchecked { Calls([call]) }
            clock.advance(by: .milliseconds(80))
            #expect(try await holds { stubs.calls.count == 2 })
            clock.advance(by: .seconds(1))
            #expect(try await holds { calls.ended == 1 })
            #expect(calls.stories == [Self.story(200)])
        }
    }

    /// Starts a call whose requests are answered by hand, and has its copy sent.
    private func call(answeredBy answers: HandAnswers, watchers: [any CallWatcher] = []) async -> Calls {
        let calls = await stubs.runUnchecked {
            let call = WatchedCall()
            (call.hedge, call.dataTaskPublisher) = (.after(.milliseconds(80)), answers.publisher)
            call.watchers = watchers
            return Calls([call])
        }
        clock.advance(by: .milliseconds(80))
        #expect(answers.count == 2)
        return calls
    }

    @Test func `If both copies fail, the first failure counts, and it is one attempt`() async throws {
        let answers = HandAnswers()
        let calls = await call(answeredBy: answers)
        answers.answer(1, status: 502)
        answers.answer(0, status: 500)
        #expect(try await holds { calls.ended == 1 })
        #expect(calls.stories == [Self.story(502)])
    }

    @Test func `If both copies are answered at the same moment, one head is told, before the end`() async throws {
        let (answers, held) = (HandAnswers(), HeldHead())
        let calls = await call(answeredBy: answers, watchers: [held])
        DispatchQueue.global().async { answers.answer(1, status: 201) }
        try await held.isHeld.value()
        answers.answer(0, status: 200)
        held.letGo()
        #expect(try await holds { calls.stories[0].count >= Self.story(201).count })
        #expect(calls.stories == [Self.story(201)])
    }

    @Test func `One of twenty answers may be to a copy, and none after a failure`() async throws {
        stubs.on(.get, "/x").answer { call in
            call.headers["X-Slow"] == nil ? .text("ok") : Self.slow
        }
        func sent(_ isSlow: Bool) async throws -> Int {
            let before = stubs.calls.count
            let calls = await stubs.runUnchecked {
                let call = WatchedCall()
                call.hedge = .after(.milliseconds(80))
                if isSlow { call.headers["X-Slow"] = "1" }
                return Calls([call])
            }
            if isSlow { clock.advance(by: .seconds(1)) }
            #expect(try await holds { calls.ended == 1 })
            return stubs.calls.count - before
        }
        #expect(try await sent(true) == 2)
        for _ in 0..<18 { #expect(try await sent(false) == 1) }
        #expect(try await sent(true) == 1)
        #expect(try await sent(true) == 2)
        for _ in 0..<40 { #expect(try await sent(false) == 1) }
        stubs.on(.get, "/x").overriding().answer(inOrder: .status(503), then: .fallThrough)
        #expect(try await sent(false) == 1)
        #expect(try await sent(true) == 1)
    }

    @Test func `While many calls have no answer, few copies are sent`() async throws {
        stubs.on(.get, "/x").answer { call in call.headers["X-Slow"] == nil ? .text("ok") : Self.slow }
        let fast = await calls(100)
        #expect(try await holds { fast.ended == 100 })
        let slow = await stubs.runUnchecked {
            Calls(
                (0..<50).map { _ in
                    let call = WatchedCall()
                    (call.hedge, call.headers["X-Slow"]) = (.after(.milliseconds(80)), "1")
                    return call
                }
            )
        }
        clock.advance(by: .milliseconds(500))
        #expect(try await holds { stubs.calls.count == 153 })
        clock.advance(by: .seconds(2))
        #expect(try await holds { slow.ended == 50 })
        #expect(stubs.calls.count == 153)
    }

    @Test func `A copy is taken from the budget of the retries`() async throws {
        stubs.on().answer(Self.slow)
        let spent = RetryPolicy(budget: RetryBudget(ratio: 0, minimum: 0))
        let first = await calls(retry: spent)
        clock.advance(by: .seconds(1))
        #expect(try await holds { first.ended == 1 })
        #expect(stubs.calls.count == 1)
        let budget = RetryBudget(ratio: 0, minimum: 1)
        // Enough answers for another copy.
        stubs.on(.head).overriding().answer(.text("ok"))
        let others = await calls(20, .head)
        #expect(try await holds { others.ended == 20 })
        let second = await calls(retry: RetryPolicy(budget: budget))
        clock.advance(by: .seconds(1))
        #expect(try await holds { second.ended == 1 })
        #expect(stubs.calls.count == 23 && !budget.spend(at: WallClock.shared))
    }

    @Test func `After twenty answers, the percentile of their times is the delay`() async throws {
        stubs.on().answer(with: { _ in .text("ok").delayed(by: .milliseconds(10)) })
        let first = await calls(20, .get, .after(percentile: 95))
        clock.advance(by: .milliseconds(10))
        #expect(try await holds { first.ended == 20 })
        stubs.on().overriding().answer(inOrder: Self.slow, then: .fallThrough)
        let calls = await calls(1, .get, .after(percentile: 95))
        clock.advance(by: .milliseconds(10))
        #expect(try await holds { stubs.calls.count == 22 })
        clock.advance(by: .milliseconds(10))
        #expect(try await holds { calls.ended == 1 })
    }

    @Test func `A call that is canceled leaves nothing under way`() async throws {
        stubs.on().answer(Self.slow)
        let calls = await calls()
        clock.advance(by: .milliseconds(100))
        #expect(try await holds { stubs.calls.count == 2 })
        calls.cancel()
        #expect(try await holds { clock.waits == 0 })
        #expect(calls.stories[0].last == "cancelled")
    }

    @Test func `A response of the cache has no copy`() async throws {
        stubs.on().answer(.text("ok", headers: ["Cache-Control": "max-age=60"]))
        let cache = ResponseCache()
        for _ in 0..<3 {
            let call = WatchedCall()
            (call.hedge, call.cache) = (.after(.zero), cache)
            let calls = await stubs.runUnchecked { Calls([call]) }
            #expect(try await holds { calls.ended == 1 })
        }
        #expect(stubs.calls.count == 1)
    }
}
