import Basics

extension TokenSource {
    /// The endpoints of an authorization server, as it publishes them (RFC 8414).
    public struct AuthorizationServer: Sendable, Hashable {
        /// The identifier of the server: the `issuer` for
        /// ``TokenSource/authorizationCode(authorizeAt:tokenAt:id:secret:redirect:scope:issuer:parameters:secretIn:store:session:open:)``
        /// if ``sendsIssuer`` is true.
        public let issuer: String
        /// The authorization endpoint; `nil` if the server has none.
        public let authorizeAt: URL?
        /// The token endpoint; `nil` if the server has none.
        public let tokenAt: URL?
        /// The device authorization endpoint (RFC 8628, section 4); `nil` if the server has none.
        public let deviceAt: URL?
        /// Whether callbacks name the server in `iss` (RFC 9207, section 3).
        public let sendsIssuer: Bool
    }

    /// Fetches the metadata of an authorization server.
    ///
    /// They are at `/.well-known/oauth-authorization-server`, before the path of the issuer; if that is not found, at
    /// `/.well-known/openid-configuration` behind it (OpenID Connect Discovery 1.0, section 4). The request follows no
    /// redirect, and times out after 30 seconds.
    ///
    /// - Parameters:
    ///   - issuer: The identifier of the server, as it names itself.
    ///   - session: The session; `nil` for the default session.
    /// - Returns: The endpoints.
    /// - Throws: ``SignInError/issuerMismatch(expected:found:)`` if the metadata are of another server,
    ///   ``SignInError/invalidEndpoint(_:)`` if an endpoint has another scheme than `https` (or `http`, if the issuer has
    ///   that), otherwise like any call.
    public static func authorizationServer(
        at issuer: URL,
        session: (any HTTPSession)? = nil
    ) async throws -> AuthorizationServer {
        do {
            return try await MetadataRequest(issuer, isOpenID: false, session).value().server(of: issuer)
        } catch RequestError.httpFailure(404) {
            return try await MetadataRequest(issuer, isOpenID: true, session).value().server(of: issuer)
        }
    }
}

private final class MetadataRequest: JSONAPI, Request {
    typealias ModelType = ServerMetadata

    init(_ issuer: URL, isOpenID: Bool, _ session: (any HTTPSession)?) {
        super.init(.get(Self.url(of: issuer, isOpenID: isOpenID)))
        if let session { self.session = session }
        limits.redirects = 0
        limits.responseBytes = HTTPFailure.bodyLimit
        timeout = .seconds(30)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
    }

    private static func url(of issuer: URL, isOpenID: Bool) -> String {
        guard var components = URLComponents(url: issuer, resolvingAgainstBaseURL: true) else { return "" }
        var path = components.percentEncodedPath
        if path.hasSuffix("/") { path.removeLast() }
        components.percentEncodedPath =
            isOpenID ? path + "/.well-known/openid-configuration" : "/.well-known/oauth-authorization-server" + path
        (components.query, components.fragment) = (nil, nil)
        return components.url?.absoluteString ?? ""
    }
}

/// The metadata as they are sent (RFC 8414, section 2).
private struct ServerMetadata: Decodable, Sendable {
    var issuer: String
    var authorizationEndpoint: URL?
    var tokenEndpoint: URL?
    var deviceAuthorizationEndpoint: URL?
    var authorizationResponseIssParameterSupported: Bool?

    func server(of expected: URL) throws -> TokenSource.AuthorizationServer {
        guard issuer == expected.absoluteString else {
            throw TokenSource.SignInError.issuerMismatch(expected: expected.absoluteString, found: issuer)
        }
        let schemes: Set = ["https", expected.scheme?.lowercasedASCII() == "http" ? "http" : "https"]
        func checked(_ endpoint: URL?) throws -> URL? {
            guard let endpoint else { return nil }
            guard schemes.contains(endpoint.scheme?.lowercasedASCII() ?? ""), endpoint.host?.isEmpty == false else {
                throw TokenSource.SignInError.invalidEndpoint(endpoint)
            }
            return endpoint
        }
        return TokenSource.AuthorizationServer(
            issuer: issuer,
            authorizeAt: try checked(authorizationEndpoint),
            tokenAt: try checked(tokenEndpoint),
            deviceAt: try checked(deviceAuthorizationEndpoint),
            sendsIssuer: authorizationResponseIssParameterSupported ?? false
        )
    }
}
