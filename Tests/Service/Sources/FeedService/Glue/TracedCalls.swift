import APIBaseKit
import Synchronization
import Tracing

/// Makes a span of each attempt of an upstream call, and tells the upstream of it.
final class TracedCalls: CallWatcher {
    /// The spans of the calls that run, by their IDs.
    private let spans = Mutex<[Int: any Span]>([:])

    func attempt(_ request: URLRequest) throws -> URLRequest {
        guard let call = CallEvent.Info.current else { return request }
        let span = startSpan(call.name, ofKind: .client)
        spans.withLock { $0.updateValue(span, forKey: call.id) }?.end()
        return request.carrying(span.context)
    }

    func report(_ event: CallEvent) {
        guard event.timings != nil, let span = spans.withLock({ $0[event.call.id].take() }) else { return }
        for (name, value) in event.attributes { span.attributes[name] = value.ofSpan }
        span.attributes["account"] = event.call.account
        span.end()
    }
}
