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
        return hop(timeless) { StubExchange(within: request.limits, in: self) }
    }
}
