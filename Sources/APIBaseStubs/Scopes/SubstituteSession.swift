import HTTPTransport
import PortableCombine

/// A session that asks what stands in for the network, the innermost first.
final class SubstituteSession: EngineSession {
    let chain: [any Substitute]
    let own: any HTTPSession
    /// Whether a stub's function calls it: what it asks has been told of the call, and what nothing answers may pass.
    let isNext: Bool

    init(_ chain: [any Substitute], over own: any HTTPSession, isNext: Bool = false) {
        self.chain = chain
        self.own = own
        self.isNext = isNext
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        hop(request)
    }

    func makeTask() -> any EngineTask { AnsweredTask(in: self) }

    var clock: StubClock { chain.lazy.compactMap(\.answerClock).first ?? .immediate }
}
