import APIBaseKit
import Hummingbird
import Synchronization

@testable import FeedService

/// The scopes of tests, by a header that their requests have: for a server that runs before them and serves them all.
final class TestScopes: RouterMiddleware {
    private let scopes = Mutex<[CallScope]>([])
    private static let name = "X-Test-Scope"

    /// The header that names the scope of the code that runs.
    func header() -> HTTPFields {
        let scope = CallScope.here
        let number = scopes.withLock { scopes in
            scopes.append(scope)
            return scopes.count - 1
        }
        return HTTPFields(Self.name, "\(number)")
    }

    func handle(
        _ request: Hummingbird.Request,
        context: BasicRequestContext,
        next: (Hummingbird.Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let number = request.headers[Self.name].flatMap({ Int($0) }) else {
            return try await next(request, context)
        }
        return try await scopes.withLock { $0[number] }.run { try await next(request, context) }
    }
}
