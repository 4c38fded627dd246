import APIBaseKit
import Hummingbird

/// Answers with 502 if an upstream call has failed. Why is in the log.
struct UpstreamErrors<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Hummingbird.Request,
        context: Context,
        next: (Hummingbird.Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error where !(error is any HTTPResponseError || error is CancellationError) {
            context.logger.error("\(request.uri.path): \(error.localizedDescription)")
            throw HTTPError(.badGateway, message: "An upstream does not answer as it should.")
        }
    }
}
