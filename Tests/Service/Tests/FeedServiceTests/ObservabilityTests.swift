import APIBaseInspector
import APIBaseTesting
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import Testing
import Tracing

@testable import FeedService

/// What the kit tells the libraries of a service.
@Suite(.timeLimit(.minutes(1))) struct ObservabilityTests {
    /// Each request has a log of its own, with its number, and so have the upstream calls that are made for it.
    @Test(.stubs { $0.answerFeed(of: "Rome") })
    func `The feed service logs its upstream calls with the ID of the request that started them`() async throws {
        let log = InMemoryLogHandler()
        let application = Application(router: makeRouter(), logger: Logger(label: "service") { _ in log })
        _ = try await application.test(.live) { try await $0.feed() }
        let lines = log.entries.filter { "\($0.message)".contains("Request ") }
        let calls = Set(lines.map { "\($0.message)".split(separator: " ")[0] })
        #expect(calls == ["WeatherRequest", "ArticlesRequest", "TokenRequest", "TodosRequest"])
        #expect(lines.count == 5)
        let number = try #require(lines.first?.metadata["hb.request.id"])
        #expect(lines.allSatisfy { $0.metadata["hb.request.id"] == number })
    }

    /// While the inspector runs, its page gets the calls of the upstreams.
    @Test
    func `The feed service's upstream calls appear in the event stream of a running Inspector's page`() async throws {
        let inspector = try Inspector.start(announcing: { _ in })
        defer { inspector.stop() }
        let stubs = Stubs()
        stubs.answerFeed(of: "Rome")
        try await stubs.run { try await makeRouter().test(.inProcess) { _ = try await $0.feed() } }
        let events = JSONAPI()
        events.baseURL = URL(string: "/events", relativeTo: inspector.url)?.absoluteURL
        events.authorization = .bearer(String(inspector.url.fragment?.dropFirst(2) ?? ""))
        var missing: Set = ["WeatherRequest", "ArticlesRequest", "TokenRequest", "TodosRequest"]
        for try await event in events.eachEvent() where event.data.contains(#""ended""#) {
            missing = missing.filter { !event.data.contains(#""\#($0)","#) }
            if missing.isEmpty { break }
        }
        #expect(missing.isEmpty)
    }

    private static let metrics: TestMetrics = {
        let metrics = TestMetrics()
        MetricsSystem.bootstrap(metrics)
        return metrics
    }()

    @Test(.stubs { $0.on(StoreRequest.self).answer(inOrder: .status(503), .json(Receipt(id: "a", bytes: 0))) })
    func `The feed service records a timer once for an upstream call, with the status of its last attempt`()
        async throws
    {
        let metrics = Self.metrics
        try await makeRouter().test(.inProcess) { client in
            try await client.execute(uri: "/import", method: .post) { #expect($0.status == .ok) }
        }
        let name = "http.client.request.duration"
        let timer = try metrics.expectTimer(name, Self.dimensions("POST", "archive", "/files", 200))
        #expect(timer.values.count >= 1)
        #expect(throws: (any Error).self) {
            try metrics.expectTimer(name, Self.dimensions("POST", "archive", "/files", 503))
        }
    }

    /// The dimensions of a call, by the names of OpenTelemetry's conventions for HTTP clients.
    private static func dimensions(
        _ method: String,
        _ host: String,
        _ template: String,
        _ status: Int
    ) -> [(String, String)] {
        let error = status >= 400 ? [("error.type", "\(status)")] : []
        return error + [
            ("http.request.method", method), ("http.response.status_code", "\(status)"),
            ("server.address", "\(host).example"), ("server.port", "443"), ("url.scheme", "https"),
            ("url.template", template),
        ]
    }

    /// No class of an upstream knows of tenants, nor of what watches its calls.
    @Test(
        .stubs { stubs in
            stubs.on(WeatherRequest.self)
                .answer(inOrder: .status(503), .json(Weather(sky: "clear", degrees: 21)), then: .repeatLast)
            stubs.on(TokenRequest.self).answer(.json(TokenRequest.ModelType(token: "t")))
            stubs.on(TodosRequest.self).answer(.json([Todo(id: 1, title: "Learn")]))
        }
    )
    func `Logs, spans and metrics tell the tenants and the attempts of calls to two upstreams apart`() async throws {
        let metrics = Self.metrics
        let (log, tracer) = (InMemoryLogHandler(), TraceContextTracer())
        let tenants = ["acme", "globex", "initech"]
        try await withTracer(tracer) {
            try await withLogger(Logger(label: "tenants") { _ in log }) { _ in
                try await CallScope.watching([LoggedCalls(), MeasuredCalls(), TracedCalls()]) {
                    for tenant in tenants {
                        try await JSONAPI.with(APIAccount(name: tenant)) {
                            _ = try await WeatherRequest(city: "Rome").value()
                            _ = try await TodosRequest().value()
                        }
                    }
                }
            }
        }
        let lines = log.entries.map { "\($0.message)" }
        for (index, tenant) in tenants.enumerated() {
            // A call whose first attempt failed has a line for each.
            let attempts = index == 0 ? 2 : 1
            let weather = lines.filter { $0.hasPrefix("WeatherRequest") && $0.contains(" for \(tenant)") }
            #expect(weather.count == attempts)
            #expect(weather.contains { $0.contains("(attempt 2)") } == (index == 0))
            #expect(lines.filter { $0.hasPrefix("TodosRequest") && $0.contains(" for \(tenant)") }.count == 1)
            let spans = tracer.spans.filter { $0.attributes.get("account") == .string(tenant) }
            #expect(spans.filter { $0.operationName == "GET /v1/now/{}" }.count == attempts)
            #expect(spans.filter { $0.operationName == "GET /todos" }.count == 1)
            for (host, template) in [("weather", "/v1/now/{}"), ("todo", "/todos")] {
                let dimensions = Self.dimensions("GET", host, template, 200) + [("account", tenant)]
                #expect(try metrics.expectTimer("http.client.request.duration", dimensions).values.count == 1)
            }
        }
        #expect(tracer.openSpans == 0)
    }

    /// Spans of the request and of the attempts below it are one trace, of which each attempt tells its upstream.
    @Test(.stubs { $0.on(StoreRequest.self).answer(inOrder: .status(503), .json(Receipt(id: "a", bytes: 0))) })
    func `Each attempt of an upstream call is a span in the incoming request's trace and sends traceparent`()
        async throws
    {
        let tracer = TraceContextTracer()
        try await withTracer(tracer) {
            try await makeRouter().test(.inProcess) { client in
                let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
                let headers = HTTPFields("traceparent", parent)
                try await client.execute(uri: "/import", method: .post, headers: headers) { #expect($0.status == .ok) }
            }
        }
        let spans = tracer.spans
        #expect(tracer.openSpans == 0)
        let server = try #require(spans.first { $0.kind == .server })
        #expect(server.spanContext.parentSpanID == "b7ad6b7169203331")
        let attempts = spans.filter { $0.kind == .client }
        #expect(attempts.map(\.operationName) == ["POST /files", "POST /files"])
        #expect(attempts.last?.attributes.get("http.request.resend_count") == .int64(1))
        #expect(attempts.first?.attributes.get("url.full") == .string("https://archive.example/files"))
        #expect(attempts.map { $0.attributes.get("http.response.status_code") } == [.int64(503), .int64(200)])
        #expect(attempts.allSatisfy { $0.spanContext.parentSpanID == server.spanContext.spanID })
        let sent = try #require(Stubs.current?.calls).map { $0.headers["traceparent"] }
        #expect(sent == attempts.map { "00-0af7651916cd43dd8448eb211c80319c-\($0.spanContext.spanID)-01" })
        #expect(Set(sent).count == 2)
    }

    /// A token that is refused is replaced, and the call sent again: two spans, both of which end.
    @Test(
        .stubs { stubs in
            stubs.answerFeed(of: "Rome")
            stubs.on(TodosRequest.self).overriding().answer(inOrder: .status(401), then: .fallThrough)
        }
    )
    func `An upstream attempt that gets 401 and its repetition with a new token each have a trace span`() async throws {
        let tracer = TraceContextTracer()
        _ = try await withTracer(tracer) { try await makeRouter().test(.inProcess) { try await $0.feed() } }
        #expect(tracer.openSpans == 0)
        #expect(tracer.spans.filter { $0.operationName == "GET /todos" }.count == 2)
    }
}
