import APIBaseKit
import Basics
import HostileServer
import TestTiers
import Testing

@testable import APIBaseCore

@Suite(.tags(.concurrent), .limited) struct CallStateTests {
    enum Release: CaseIterable, Sendable { case nextWait, nextAttempt }

    /// Releasing a wait may run code that uses the call, for which its lock must be free.
    @Test(arguments: Release.allCases)
    func `A call does not hold its lock while it releases a wait that a new wait or attempt replaces`(
        by release: Release
    )
        async throws
    {
        let receiver = ResponseReceiver { _ in .none }
        let call = APIBaseCore.Call(of: APIBase(), in: CallerTaskLocals(), scope: nil, for: .whole(receiver))
        // Releasing an `AnyCancellable` cancels it.
        let isRunning = Locked<Bool?>(nil)
        call.wait {
            .work(
                AnyCancellable { [weak call] in
                    let running = call?.isRunning
                    isRunning.withLock { $0 = running }
                }
            )
        }
        DispatchQueue(label: "release").async {
            switch release {
            case .nextWait: call.wait { nil }
            case .nextAttempt: call.beginAttempt(2)
            }
        }
        #expect(try await holds { isRunning.withLock { $0 } == true })
    }
}
