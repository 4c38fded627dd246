import APIBaseKit
import Hummingbird

/// Has the upstream calls of every request belong to a scope, such as that of a test.
struct ScopeMiddleware<Context: RequestContext>: RouterMiddleware {
    let scope: CallScope

    func handle(
        _ request: Hummingbird.Request,
        context: Context,
        next: (Hummingbird.Request, Context) async throws -> Response
    ) async throws -> Response {
        try await scope.run { try await next(request, context) }
    }
}
