import Basics
import Foundation
package import HTTPTransport

/// Calls outside of all scopes, in a program that has scopes. They must not reach the network by accident.
package enum UnscopedCalls {
    private static let state = Locked((last: 0, standIns: [Int: any NetworkStandIn]()))

    /// Checks unscoped calls from now on, and keeps the stand-in for messages until ``forget(_:)``. Recordings that use
    /// the network are not kept.
    static func watch(_ standIn: any NetworkStandIn) -> Int? {
        guard standIn.answerClock != nil else { return nil }
        StandIns.outside.withLock { $0 = $0 ?? UnscopedCallPolicy { problem(of: $0) } }
        return state.withLock { state in
            state.last += 1
            state.standIns[state.last] = standIn
            return state.last
        }
    }

    static func forget(_ number: Int?) {
        guard let number else { return }
        let standIn = state.withLock { $0.standIns.removeValue(forKey: number) }
        withExtendedLifetime(standIn) {}
    }

    /// The reason not to send a request; nil if it goes to this machine.
    ///
    /// A request that a test makes itself belongs to none of the scopes. They are those of other tests, and the message
    /// does not mention them.
    package static func problem(of request: ExchangeRequest, madeByTest: Bool = false) -> (any Error)? {
        guard request.urlRequest.url?.isOnThisMachine != true else { return nil }
        let call = StubbedCall(request, body: Data())
        let standIns = madeByTest ? [] : state.withLock { $0.standIns.sorted { $0.key > $1.key }.map(\.value) }
        var seen: Set<StubProblem.NearMiss> = []
        // Several tests may have the same stub. It is named once.
        let misses = standIns.flatMap { $0.nearMisses(of: call) }.filter { seen.insert($0).inserted }
        return StubProblem.outside(request: call.words, nearest: misses.nearest { $0.mismatches.count })
    }
}
