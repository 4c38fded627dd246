import HTTPTransport
import PortableCombine

/// A session that asks stubs first.
final class StubbedSession: HTTPSession {
    let stubs: [Stubs]
    let own: any HTTPSession

    init(stubs: [Stubs], own: any HTTPSession) {
        self.stubs = stubs
        self.own = own
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        var timeless = request
        // The stubs' clock counts, not the wall's: see StubTimeline.
        timeless.limits.connect = nil
        timeless.limits.idle = nil
        timeless.limits.total = nil
        return ExchangePublisher(session: self, engine: StubEngine(self, limits: request.limits), request: timeless)
            .eraseToAnyPublisher()
    }
}

/// What makes the exchanges of one request.
private final class StubEngine: ExchangeEngine {
    private let session: StubbedSession
    private let limits: ExchangeLimits

    init(_ session: StubbedSession, limits: ExchangeLimits) {
        self.session = session
        self.limits = limits
    }

    func exchange(_ request: ExchangeRequest) -> any EngineExchange {
        var request = request
        request.limits = limits
        return StubExchange(request, in: session)
    }
}
