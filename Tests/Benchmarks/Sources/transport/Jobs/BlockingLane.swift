import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request after the other, of all that several lanes share.
struct BlockingLane: Sendable {
    let session: CurlSession
    let url: URL
    /// Requests of all lanes.
    let count: Int
    /// How long a subscriber blocks; nil if none does.
    let seconds: Double?

    /// Sends the request of this number, and then each that is a lane's turn further.
    ///
    /// - Parameters:
    ///   - number: Which of all requests it is.
    ///   - delays: What the lane has measured so far.
    ///   - done: Called at the end with all that it has measured; a request that has failed is left out.
    func send(_ number: Int, after delays: [Double], _ done: @escaping @Sendable ([Double]) -> Void) {
        guard number < count else { return done(delays) }
        let next = number + Blocking.concurrency
        let publisher = session.response(to: ExchangeRequest(URLRequest(url: url)))
        let (turn, rest) = number.quotientAndRemainder(dividingBy: Blocking.spacing)
        guard rest != 0 || turn >= Blocking.blockers else {
            publisher.subscribe(Reader({ _ in block() }, { _ in }))
            return send(next, after: delays, done)
        }
        let clock = ContinuousClock()
        let start = clock.now
        var delay = 0.0
        let reader = Reader<(data: Data, response: HTTPURLResponse), TransportError>(
            { reply in
                delay = (clock.now - start).inSeconds
                return reply.response.statusCode == 200
            },
            { send(next, after: $0 ? delays + [delay] : delays, done) }
        )
        publisher.subscribe(reader)
    }

    private func block() -> Bool {
        if let seconds { Thread.sleep(forTimeInterval: seconds) }
        return true
    }
}
