import APIBaseKit
import Tracing

extension URLRequest {
    /// The request with the headers that the tracer sends, such as `traceparent` (W3C Trace Context).
    func carrying(_ context: InstrumentationContext) -> URLRequest {
        var request = self
        InstrumentationSystem.instrument.inject(context, into: &request, using: TraceHeaders())
        return request
    }
}

private struct TraceHeaders: Injector {
    func inject(_ value: String, forKey name: String, into request: inout URLRequest) {
        request.setValue(value, forHTTPHeaderField: name)
    }
}

extension CallEvent.AttributeValue {
    var ofSpan: SpanAttribute { number.map { .int64(Int64($0)) } ?? .string(description) }
}
