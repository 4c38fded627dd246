import Basics
import Foundation
package import HTTPTransport

/// Calls that belong to no scope, where there are scopes: they must not get to the network by accident.
package enum OutsideCalls {
    private struct State {
        var last = 0
        var stubs: [Int: Stubs] = [:]
    }

    private static let state = Locked(State())

    /// Watches calls from now on, and keeps the stubs for messages until they are forgotten. Of recordings, those count that
    /// only replay.
    static func watch(_ substitute: any Substitute) -> Int? {
        guard substitute.answerClock != nil else { return nil }
        SessionScopes.outside.withLock { $0 = $0 ?? UnscopedCallPolicy { problem(of: $0) } }
        return state.withLock { state in
            state.last += 1
            state.stubs[state.last] = substitute as? Stubs
            return state.last
        }
    }

    static func forget(_ number: Int?) {
        guard let number else { return }
        _ = state.withLock { $0.stubs.removeValue(forKey: number) }
    }

    /// Why a request must not be sent; nil if it goes to this machine. One that a test makes itself is in none of the scopes:
    /// they are other tests', and nothing is said of them.
    package static func problem(of request: ExchangeRequest, madeByTest: Bool = false) -> (any Error)? {
        guard request.urlRequest.url?.isOnThisMachine != true else { return nil }
        let call = StubbedCall(request, body: Data())
        let stubs = madeByTest ? [] : state.withLock { $0.stubs.sorted { $0.key > $1.key }.map(\.value) }
        var seen: Set<StubProblem.NearMiss> = []
        // Stubs of many tests: what all have in common is named once.
        let misses = stubs.flatMap { $0.misses(of: call) }.filter { seen.insert($0).inserted }
        return StubProblem.outside(request: call.description, nearest: misses.nearest { $0.mismatches.count })
    }
}
