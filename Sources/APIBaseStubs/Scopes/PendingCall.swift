import Foundation
package import HTTPTransport

/// A call for which the stand-ins for the network are being asked.
package struct PendingCall: Sendable {
    /// A function that answers a call, and can ask for what would answer without it.
    package typealias Function =
        @Sendable (StubbedCall, _ next: @escaping @Sendable () async throws -> StubReply) async throws -> StubAnswer

    package enum Answer: Sendable {
        case give(StubAnswer)
        case ask(Function)
        case fail(any Error)
    }

    package enum Fallback: Sendable {
        case pass
        case fail(any Error)
    }

    enum Decision: Sendable {
        /// The answer of one stand-in. Its function can ask the outer ones.
        case answer(Answer, outer: [any NetworkStandIn] = [])
        case pass(over: (any HTTPSession)?)
    }

    package let request: ExchangeRequest
    /// The bytes of its body as they are sent. Those of ``StubbedCall`` are decompressed.
    let body: Data
    package var call: StubbedCall
    var misses: [StubProblem.NearMiss] = []
    package var watchers: [any HopWatcher] = []
    /// The subjects of the inspectors that have observed it.
    var inspected: Set<ObjectIdentifier> = []

    init(_ request: ExchangeRequest, body: Data) {
        (self.request, self.body) = (request, body)
        call = StubbedCall(request, body: body)
    }

    /// Asks the stand-ins, the innermost first. With `mayPass`, a call without an answer goes to the network whatever
    /// the fallbacks are, because a stub has decided so.
    mutating func decide(by chain: [any NetworkStandIn], mayPass: Bool = false) -> Decision {
        for (index, standIn) in chain.enumerated() {
            if let answer = standIn.answer(to: &self) {
                let outer = Array(chain[(index + 1)...])
                if case .give(let given) = answer, given.isPassThrough { return decide(by: outer, mayPass: true) }
                return .answer(answer, outer: outer)
            }
            if let network = standIn.network { return unanswered(by: chain[...index], mayPass, network) }
        }
        return unanswered(by: chain[...], mayPass, nil)
    }

    private func unanswered(
        by chain: ArraySlice<any NetworkStandIn>,
        _ mayPass: Bool,
        _ network: (any HTTPSession)?
    ) -> Decision {
        // What only watches does not open the way to the network, which is closed outside of all scopes.
        if !chain.isEmpty, chain.allSatisfy({ $0 is InspectorScope }), let problem = UnscopedCalls.problem(of: request)
        {
            return .answer(.fail(problem))
        }
        if !mayPass {
            // Not a lazy sequence: its `first` calls the closure twice, and stubs report a problem in it.
            for standIn in chain {
                guard let fallback = standIn.fallback(for: self) else { continue }
                if case .fail(let error) = fallback { return .answer(.fail(error)) }
                break
            }
        }
        return .pass(over: network)
    }
}
