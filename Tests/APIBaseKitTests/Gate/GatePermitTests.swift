import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// The permits of attempts that end without a response.
@Suite(.tags(.concurrent), .limited) struct GatePermitTests {
    /// A call that blocks while its request is built.
    private final class BlockingCall: APIBase, @unchecked Sendable {
        let isBlocked = Locked(false)
        let unblock = DispatchSemaphore(value: 0)

        override func buildURLRequest() throws -> URLRequest {
            isBlocked.withLock { $0 = true }
            unblock.wait()
            return try super.buildURLRequest()
        }
    }

    @Test
    func `Canceling a call frees its place at the CallGate while its buildURLRequest() still blocks`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let (call, next) = (BlockingCall(), WatchedCall(gate: CallGate(concurrent: 1)))
        call.baseURL = next.baseURL
        (call.session, next.session, call.gate) = (stubs, stubs, next.gate)
        defer { call.unblock.signal() }
        let subscription = Locked<(any Subscription)?>(nil)
        let subscriber = AnySubscriber<APIBase.DataResponseTuple, any Error>(
            receiveSubscription: { new in
                subscription.withLockUnchecked { $0 = new }
                new.request(.unlimited)
            }
        )
        let start = UncheckedSendable((call.startRequest(), subscriber))
        DispatchQueue(label: "blocked").async { start.value.0.subscribe(start.value.1) }
        #expect(try await holds { call.isBlocked.withLock { $0 } })
        let waiting = Calls([next])
        #expect(next.story.isEmpty)
        subscription.withLock { $0 }?.cancel()
        #expect(try await holds { waiting.ended == 1 })
    }
}
