import Hummingbird
import Logging
import ServiceLifecycle

/// All upstreams of the service in one server on loopback.
public struct Upstream: Sendable {
    /// What the replies of the weather wait for.
    public let gate = Gate()
    private let archive = Archive()

    /// Creates the upstreams, with the gate open.
    public init() {}

    /// Where the service looks for the upstreams, if this one listens on a port.
    public static func environment(port: Int) -> [String: String] {
        let names = ["WEATHER", "NEWS", "TODO", "ARCHIVE", "TICKER"].map { name in
            ("\(name)_URL", "http://127.0.0.1:\(port)/\(name.lowercased())")
        }
        return Dictionary(uniqueKeysWithValues: names)
    }

    /// The routes of all upstreams.
    var router: Router<BasicRequestContext> {
        let router = Router()
        router.get("weather/now/:city") { _, context in
            await gate.pass()
            return Response(json: #"{"sky": "clear over \#(context.parameters.get("city") ?? "")", "degrees": 21}"#)
        }
        router.get("news/articles") { request, _ in
            let page = request.uri.queryParameters["page"].flatMap { Int($0) } ?? 1
            let articles = (0..<20).map { #"{"id": \#(page * 20 + $0), "headline": "Headline \#(page * 20 + $0)"}"# }
            return Response(
                json: "[\(articles.joined(separator: ","))]",
                link: page < 3 ? "</news/articles?page=\(page + 1)>; rel=\"next\"" : nil
            )
        }
        router.post("todo/token") { _, _ in Response(json: #"{"token": "secret-7f3a"}"#) }
        router.get("todo/todos") { request, _ in
            guard request.headers[.authorization] == "Bearer secret-7f3a" else { throw HTTPError(.unauthorized) }
            let todos = (0..<20).map { #"{"id": \#($0), "title": "Todo \#($0)"}"# }
            return Response(json: "[\(todos.joined(separator: ","))]")
        }
        router.post("archive/files") { request, _ in try await archive.store(request) }
        router.get("ticker/prices") { request, _ in
            let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
            guard last < 3 else { return Response(status: .noContent) }
            return Response(events: "id: \(last + 1)\ndata: \(last + 1)0 €\n\nretry: 1\n\n")
        }
        return router
    }

    /// Runs the server while `body` does, which gets its port.
    public func run<Value: Sendable>(_ body: @Sendable (_ port: Int) async throws -> Value) async throws -> Value {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let server = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "upstream") { _ in SwiftLogNoOpLogHandler() }
        )
        let group = ServiceGroup(configuration: .init(services: [server], logger: server.logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(await ports.first { _ in true } ?? 0))
            } catch {
                result = .failure(error)
            }
            await gate.open()
            await group.triggerGracefulShutdown()
            return try result.get()
        }
    }
}

extension Response {
    fileprivate init(json: String, link: String? = nil) {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers["Link"] = link
        self.init(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: json)))
    }

    fileprivate init(events: String) {
        let body = ResponseBody(byteBuffer: ByteBuffer(string: events))
        self.init(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }
}

extension Archive {
    /// Fails at the first attempt with each key.
    fileprivate func store(_ request: Request) async throws -> Response {
        guard let key = request.headers["Idempotency-Key"] else { throw HTTPError(.badRequest) }
        guard isKnown(key) else { throw HTTPError(.serviceUnavailable) }
        let bytes = try await request.body.collect(upTo: 1 << 20).readableBytes
        return Response(json: #"{"id": "\#(key)", "bytes": \#(bytes)}"#)
    }
}
