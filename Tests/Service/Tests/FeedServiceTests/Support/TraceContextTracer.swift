import InMemoryTracing
import Tracing

/// A tracer that keeps its spans, and hands its traces on as W3C Trace Context says.
struct TraceContextTracer: Tracer {
    private let memory = InMemoryTracer(
        idGenerator: .init(nextTraceID: { hex(2) }, nextSpanID: { hex(1) })
    )

    /// The spans that have ended, in the order of their ends.
    var spans: [FinishedInMemorySpan] { memory.finishedSpans }
    var openSpans: Int { memory.activeSpans.count }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> InstrumentationContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file: String,
        line: UInt
    ) -> InMemorySpan {
        memory.startSpan(
            operationName,
            context: context(),
            ofKind: kind,
            at: instant(),
            function: function,
            file: file,
            line: line
        )
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = context.inMemorySpanContext else { return }
        injector.inject("00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout InstrumentationContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        let parts = extractor.extract(key: "traceparent", from: carrier)?.split(separator: "-").map(String.init) ?? []
        guard parts.count == 4 else { return }
        context.inMemorySpanContext = InMemorySpanContext(traceID: parts[1], spanID: parts[2], parentSpanID: nil)
    }
}

/// So many random words of 64 bits.
private func hex(_ words: Int) -> String {
    (0..<words).map { _ in
        let text = String(UInt64.random(in: 1 ... .max), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
    .joined()
}
