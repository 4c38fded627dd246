import APIBaseInspector
import APIBaseKit
import Hummingbird
import Logging

/// The service's router. The upstream calls of all requests belong to `scope`, or to the scope of the request's caller.
func makeRouter(scope: CallScope? = nil) -> Router<BasicRequestContext> {
    let router = Router()
    if let scope { router.add(middleware: ScopeMiddleware(scope: scope)) }
    addRoutes(to: router)
    return router
}

func addRoutes(to router: Router<BasicRequestContext>) {
    router.add(middleware: TracingMiddleware())
    router.add(middleware: UpstreamErrors())
    router.add(middleware: WatchMiddleware())
    router.get("health") { _, _ in HTTPResponse.Status.ok }
    router.get("feed") { request, _ in try await Feed.of(city: request.uri.queryParameters.get("city") ?? "Rome") }
    router.post("import") { request, _ in try await Import.pass(on: request) }
    router.get("events") { request, _ in Events.response(after: request.headers["Last-Event-ID"]) }
}

/// Runs the service until it is told to stop: then it answers what it has been asked, and closes its connections.
///
/// It listens on the `PORT` of the environment, which has the addresses of the upstreams as well. With an
/// `INSPECTOR_PORT`, a page at that port shows the calls of the upstreams.
public func runService() async throws {
    let environment = ProcessInfo.processInfo.environment
    Upstreams.find(in: environment)
    if let port = environment["INSPECTOR_PORT"].flatMap({ UInt16($0) }) { try Inspector.start(port: port) }
    var application = Application(
        router: makeRouter(),
        configuration: .init(address: .hostname("127.0.0.1", port: environment["PORT"].flatMap { Int($0) } ?? 8080)),
        onServerRunning: { channel in
            print("listening on port \(channel.localAddress?.port ?? 0)")
            fflush(nil)
        }
    )
    #if os(Linux)
    application.addServices(UpstreamConnections(session: Upstreams.session))
    #endif
    try await application.runService()
}
