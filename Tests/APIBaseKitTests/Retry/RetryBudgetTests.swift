import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct RetryBudgetTests {
    @Test
    func `A shared RetryBudget limits retries to 10% of the calls when half the responses are 503`() async throws {
        let requests = Locked(0)
        let server = try HTTPServer { _ in
            let number = requests.withLock { count in
                count += 1
                return count
            }
            return .text("", status: number.isMultiple(of: 2) ? 503 : 200)
        }
        defer { server.stop() }
        // No window ends before the test.
        let budget = RetryBudget(window: .seconds(3_600))
        let clients = load(1_000)
        let policy = RetryPolicy(attempts: 10, backoff: .constant(.milliseconds(20)), budget: budget)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<clients {
                group.addTask {
                    let call = WatchedCall(base: "http://127.0.0.1:\(server.port)", retry: policy)
                    _ = await call.failure()
                }
            }
        }
        let sent = requests.withLock { $0 }
        #expect(sent > clients)
        #expect(sent <= clients + clients / 10)
    }

    @Test func `A used-up RetryBudget allows its minimum of retries again after its time window`() async throws {
        let clock = StubClock.manual(movedWithin: nil)
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.status(503))
        let budget = RetryBudget(ratio: 0, minimum: 2, window: .seconds(1_000))
        func sent() async throws -> Int {
            let before = stubs.calls.count
            let call = WatchedCall(retry: RetryPolicy(attempts: 9, backoff: .none, budget: budget))
            _ = try await stubs.run { await call.failure() }
            return stubs.calls.count - before
        }
        #expect(try await sent() == 3)
        #expect(try await sent() == 1)
        clock.advance(by: .seconds(500))
        #expect(try await sent() == 1)
        clock.advance(by: .seconds(700))
        #expect(try await sent() == 3)
    }

    @Test func `A RetryBudget with a ratio of 0.5 allows 50 retries for 100 failing calls`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(503))
        let budget = RetryBudget(ratio: 0.5, minimum: 1, window: .seconds(3_600))
        for _ in 0..<100 {
            let call = WatchedCall(retry: RetryPolicy(attempts: 2, budget: budget))
            _ = try await stubs.run { await call.failure() }
        }
        #expect(stubs.calls.count == 150)
    }
}
