import APIBaseKit
import APIBaseStubs
import Basics
import Testing

/// A leaf that keeps the events of its calls.
final class WatchedCall: APIBase, Request, @unchecked Sendable {
    let events = Locked<[CallEvent]>([])
    /// What the leaf itself decides; nil for the policy's proposal.
    var decision: ((RetryPolicy.FailedAttempt) -> Duration?)?
    /// What stands around its attempts.
    var around: (URLRequest, @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher = { $1($0) }

    init(
        _ method: HTTPMethod = .get,
        base: String = "http://api.example",
        retry: RetryPolicy = .none,
        gate: CallGate? = nil
    ) {
        super.init()
        baseURL = URL(string: base)
        path = "/x"
        self.method = method
        self.retry = retry
        self.gate = gate
    }

    /// Answers all its calls with this status, without the network.
    func stub(status: Int) {
        guard let url = URL(string: "http://api.example/x"),
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        else { return }
        dataTaskPublisher = stub(with: response, data: Data())
    }

    func start() -> AnyPublisher<Int, any Error> {
        sendRequest().validateStatusCode(in: 200..<300).map(\.response.statusCode).eraseToAnyPublisher()
    }

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        around(request, next)
    }

    override func report(_ event: CallEvent) { events.withLock { $0.append(event) } }

    override func retryDelay(after attempt: RetryPolicy.FailedAttempt) -> Duration? {
        decision.map { $0(attempt) } ?? super.retryDelay(after: attempt)
    }

    /// The events in words: `retrying 2.0` is a wait of two seconds.
    var story: [String] {
        events.withLock { $0 }.map { event in
            switch event {
            case .began(let call): "began \(call.attempt)"
            case .sent(let call): "sent \(call.attempt)"
            case .head(_, let head): "head \(head.statusCode)"
            case .retrying: "retrying"
            case .refreshed: "refreshed"
            case .noted: "noted"
            case .shared: "shared"
            case .cached(_, let use): "\(use)"
            case .ended(let timings): "ended \(timings.statusCode ?? 0)"
            case .failed(let error, _): error is CancellationError ? "cancelled" : "failed"
            }
        }
    }

    /// The waits between attempts.
    var waits: [Duration] {
        events.withLock { $0 }.compactMap { if case .retrying(_, let delay) = $0 { delay } else { nil } }
    }

    /// The last event's timings.
    var timings: CallTimings? {
        events.withLock { $0 }.last.flatMap { event in
            switch event {
            case .ended(let timings), .failed(_, let timings): timings
            default: nil
            }
        }
    }

    var refusal: RetryPolicy.StopReason? { timings?.retryStopReason }

    /// What the call fails with; nil if it does not.
    func failure() async -> (any Error)? {
        do {
            _ = try await value()
            return nil
        } catch {
            return error
        }
    }
}
