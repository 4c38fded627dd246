/// A way to authenticate of your own, such as a signature, or a token from a vault.
///
/// ```swift
/// final class VaultToken: Authenticator {
///     let identity = "vault"
///
///     func authorize(_ request: URLRequest) async throws -> URLRequest {
///         var request = request
///         request.setValue("Bearer \(try await vault.token())", forHTTPHeaderField: "Authorization")
///         return request
///     }
/// }
///
/// authorization = .authenticator(vaultToken)          // in `configure()`, with one object for all calls
/// ```
///
/// Its methods are called at the same time for several calls. ``Authorization`` has what most APIs need; for requests
/// that are only changed, there is ``APIBase/intercept(_:next:)``.
public protocol Authenticator: AnyObject, Sendable {
    /// The owner of the credentials, such as the number of an account or of a key. Calls with different ones never
    /// share a stored response, also not across processes.
    var identity: String { get }

    /// The names of the headers that carry the credentials: by default `Authorization`. They are secret: they are never
    /// sent to another origin and never printed.
    var headerNames: [String] { get }

    /// Adds the credentials to the request of an attempt, unless that has one of ``headerNames`` already.
    ///
    /// It runs with the task locals of the code that started the call, and is canceled with the call. A redirect to the
    /// same origin carries the same headers.
    ///
    /// - Returns: The request, which is checked again before it is sent.
    /// - Throws: The error of the attempt.
    func authorize(_ request: URLRequest) async throws -> URLRequest

    /// Decides after a response whether to authorize and send the request again. By default it is not.
    ///
    /// It is sent again once in each attempt, if its body can be, and if no redirect has led to another server.
    ///
    /// - Parameters:
    ///   - response: The head of the response.
    ///   - request: The request, with its credentials.
    /// - Returns: True to send it again.
    /// - Throws: The error of the attempt.
    func asksAgain(after response: HTTPURLResponse, to request: URLRequest) async throws -> Bool
}

extension Authenticator {
    /// `Authorization`.
    public var headerNames: [String] { ["Authorization"] }

    /// Returns false.
    public func asksAgain(after response: HTTPURLResponse, to request: URLRequest) async throws -> Bool { false }
}

extension Authorization {
    /// A way to authenticate of your own. Two values are equal if they are the same object.
    public static func authenticator(_ authenticator: any Authenticator) -> Authorization {
        Authorization(kind: .scheme(AuthenticationScheme(object: authenticator, headers: authenticator.headerNames)))
    }

    /// A scheme of the kit, which a call knows by its type.
    package init(_ scheme: any AnyObject & Sendable) {
        self.init(kind: .scheme(AuthenticationScheme(object: scheme, headers: ["Authorization"])))
    }

    package init(_ problem: TransportError.InvalidRequest) { self.init(kind: .invalid(problem)) }
}

/// An object that authenticates, which is compared by identity.
struct AuthenticationScheme: Hashable, Sendable {
    let object: any AnyObject & Sendable
    let headers: [String]

    static func == (left: AuthenticationScheme, right: AuthenticationScheme) -> Bool { left.object === right.object }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
