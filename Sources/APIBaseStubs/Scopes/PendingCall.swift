import Foundation
import HTTPTransport

/// A call on its way through what stands in for the network.
struct PendingCall: Sendable {
    /// The answer of one stand-in for the network.
    enum Answer: Sendable {
        case give(StubAnswer)
        case ask(@Sendable (StubbedCall, @escaping Stub.Next) async throws -> StubAnswer)
        case fail(any Error)
    }

    /// The rule for a call that nothing answers.
    enum Verdict: Sendable {
        case pass
        case fail(any Error)
    }

    /// The decision of all stand-ins together.
    enum Decision: Sendable {
        case give(StubAnswer)
        /// The function's answer, for which what is further out can be asked.
        case ask(@Sendable (StubbedCall, @escaping Stub.Next) async throws -> StubAnswer, outer: [any Substitute])
        case fail(any Error)
        case pass(over: (any HTTPSession)?)
    }

    let request: ExchangeRequest
    var call: StubbedCall
    /// The stubs that did not fit.
    var misses: [StubProblem.NearMiss] = []
    /// The builders of the entries in which recordings keep the call.
    var builders: [RecordedEntryBuilder] = []
    /// The request as each recording compares it, by the recording's identity.
    var recorded: [ObjectIdentifier: ComparableRequest] = [:]

    init(_ request: ExchangeRequest, body: Data) {
        self.request = request
        call = StubbedCall(request, body: body)
    }

    /// Asks one after the other, the innermost first. With `mayPass`, what nothing answers goes to the network, whatever the
    /// rule: a stub has said so.
    mutating func decide(by chain: [any Substitute], mayPass: Bool = false) -> Decision {
        for (index, substitute) in chain.enumerated() {
            switch substitute.answer(to: &self) {
            case nil: if let network = substitute.network { return unanswered(by: chain[...index], mayPass, network) }
            case .fail(let error)?: return .fail(error)
            case .ask(let function)?: return .ask(function, outer: Array(chain[(index + 1)...]))
            case .give(let answer)?:
                guard answer.isPassThrough else { return .give(answer) }
                return decide(by: Array(chain[(index + 1)...]), mayPass: true)
            }
        }
        return unanswered(by: chain[...], mayPass, nil)
    }

    private func unanswered(
        by chain: ArraySlice<any Substitute>,
        _ mayPass: Bool,
        _ network: (any HTTPSession)?
    ) -> Decision {
        if !mayPass {
            // A loop, because the first of a lazy sequence is made twice, and who refuses a call takes note of it.
            for substitute in chain {
                guard let verdict = substitute.verdict(on: self) else { continue }
                if case .fail(let error) = verdict { return .fail(error) }
                break
            }
        }
        return .pass(over: network)
    }
}
