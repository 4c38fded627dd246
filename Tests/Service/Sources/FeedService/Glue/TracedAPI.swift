import APIBaseKit
import Synchronization
import Tracing

/// Makes a span of each attempt of an upstream call, and tells the upstream of it.
class TracedAPI: MeasuredAPI {
    private let span = Mutex<(any Span)?>(nil)

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        let attempt = startSpan("\(type(of: self))", ofKind: .client)
        span.withLock { $0 }?.end()
        span.withLock { $0 = attempt }
        return super.intercept(request.carrying(attempt.context), next: next)
    }

    override func report(_ event: CallEvent) {
        super.report(event)
        guard let timings = event.timings, let attempt = span.withLock({ $0.take() }) else { return }
        attempt.attributes["http.response.status_code"] = timings.statusCode
        attempt.end()
    }
}
