import APIBaseKit
import Hummingbird

/// Has the upstream calls of every request logged, measured, traced, and shown by the inspector.
struct WatchMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Hummingbird.Request,
        context: Context,
        next: (Hummingbird.Request, Context) async throws -> Response
    ) async throws -> Response {
        try await CallScope.watching([LoggedCalls(), MeasuredCalls(), TracedCalls(), InspectedCalls()]) {
            try await next(request, context)
        }
    }
}
