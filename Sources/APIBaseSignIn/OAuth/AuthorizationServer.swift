import Basics

extension TokenSource {
    /// The endpoints of an authorization server, as it publishes them (RFC 8414).
    public struct AuthorizationServer: Sendable, Hashable {
        /// The identifier of the server: the `issuer` for
        /// ``TokenSource/authorizationCode(authorizeAt:tokenAt:revokeAt:id:secret:redirect:scope:issuer:parameters:secretIn:store:servers:session:open:)``
        /// if ``sendsIssuer`` is true.
        public let issuer: String
        /// The authorization endpoint; `nil` if the server has none.
        public let authorizeAt: URL?
        /// The token endpoint; `nil` if the server has none.
        public let tokenAt: URL?
        /// The device authorization endpoint (RFC 8628, section 4); `nil` if the server has none.
        public let deviceAt: URL?
        /// The revocation endpoint (RFC 7009), for the `revokeAt` of a source; `nil` if the server has none.
        public let revocationEndpoint: URL?
        /// Whether callbacks name the server in `iss` (RFC 9207, section 3).
        public let sendsIssuer: Bool
    }

    /// Fetches the metadata of an authorization server.
    ///
    /// They are at `/.well-known/oauth-authorization-server`, before the path of the issuer; if they are not there, at
    /// `/.well-known/openid-configuration` after it (OpenID Connect Discovery 1.0, section 4). A status from 300 to 499
    /// means that they are not there, and so does a reply that is no metadata, such as a page in HTML. The statuses 408,
    /// 425 and 429, those from 500 on and a failure of the network fail. The requests follow no redirect, and time out after 30 seconds.
    ///
    /// Of the metadata, only `issuer` is required. An endpoint that is no text, or an empty one, counts as none.
    ///
    /// - Parameters:
    ///   - issuer: The identifier of the server, as it names itself.
    ///   - session: The session; `nil` for the default session.
    /// - Returns: The endpoints.
    /// - Throws: ``SignInError/issuerMismatch(expected:found:)`` if the metadata are of another server,
    ///   ``SignInError/invalidEndpoint(_:)`` if an endpoint has another scheme than `https` (or `http`, if the issuer has
    ///   that), a user name or a fragment, otherwise like any call.
    public static func authorizationServer(
        at issuer: URL,
        session: (any HTTPSession)? = nil
    ) async throws -> AuthorizationServer {
        do {
            return try await MetadataRequest(issuer, isOpenID: false, session).value().server(of: issuer)
        } catch let error where error.meansNoMetadata {
            return try await MetadataRequest(issuer, isOpenID: true, session).value().server(of: issuer)
        }
    }
}

private final class MetadataRequest: AuthorizationServerCall, Request {
    typealias ModelType = ServerMetadata

    init(_ issuer: URL, isOpenID: Bool, _ session: (any HTTPSession)?) {
        super.init(.get(EndpointPath(Self.url(of: issuer, isOpenID: isOpenID))), session)
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
    private enum CodingKeys: CodingKey {
        case issuer, authorizationEndpoint, tokenEndpoint, deviceAuthorizationEndpoint, revocationEndpoint
        case authorizationResponseIssParameterSupported
    }

    private let issuer: String
    private let authorizationEndpoint, tokenEndpoint, deviceAuthorizationEndpoint, revocationEndpoint: URL?
    private let sendsIssuer: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try container.decode(String.self, forKey: .issuer)
        func endpoint(_ key: CodingKeys) -> URL? {
            (try? container.decode(String.self, forKey: key)).flatMap { URL(string: $0) }
        }
        authorizationEndpoint = endpoint(.authorizationEndpoint)
        tokenEndpoint = endpoint(.tokenEndpoint)
        deviceAuthorizationEndpoint = endpoint(.deviceAuthorizationEndpoint)
        revocationEndpoint = endpoint(.revocationEndpoint)
        let flag = try? container.decode(JSONValue.self, forKey: .authorizationResponseIssParameterSupported)
        sendsIssuer = flag?.isTrueInSomeType ?? false
    }

    func server(of expected: URL) throws -> TokenSource.AuthorizationServer {
        guard issuer == expected.absoluteString else {
            let found = OAuthText().issuer(issuer)
            throw TokenSource.SignInError.issuerMismatch(expected: expected.absoluteString, found: found)
        }
        let schemes: Set = ["https", expected.scheme?.lowercasedASCII() == "http" ? "http" : "https"]
        func checked(_ endpoint: URL?) throws -> URL? {
            guard let endpoint else { return nil }
            // RFC 6749, sections 3.1 and 3.2. User info would fail each call.
            guard schemes.contains(endpoint.scheme?.lowercasedASCII() ?? ""), endpoint.host?.isEmpty == false,
                endpoint.user == nil, endpoint.password == nil, endpoint.fragment == nil
            else {
                throw TokenSource.SignInError.invalidEndpoint(endpoint.redacted ?? expected)
            }
            return endpoint
        }
        return TokenSource.AuthorizationServer(
            issuer: issuer,
            authorizeAt: try checked(authorizationEndpoint),
            tokenAt: try checked(tokenEndpoint),
            deviceAt: try checked(deviceAuthorizationEndpoint),
            revocationEndpoint: try checked(revocationEndpoint),
            sendsIssuer: sendsIssuer
        )
    }
}

extension JSONValue {
    /// Whether this is `true`, in the type that it should have or another.
    fileprivate var isTrueInSomeType: Bool {
        switch self {
        case .bool(let value): value
        case .integer(let value): value == 1
        case .string(let text): ["true", "yes", "1"].contains(text.lowercased())
        default: false
        }
    }
}

extension Error {
    /// Whether a server has answered that it has no metadata here. Each server has its own way to say so.
    fileprivate var meansNoMetadata: Bool {
        switch self as any Error {
        // These say nothing of the metadata: the server wants to be asked later.
        case RequestError.httpFailure(408), RequestError.httpFailure(425), RequestError.httpFailure(429): false
        case RequestError.httpFailure(300..<500), RequestError.contentTypeMismatch, RequestError.undecodable: true
        case let error as TransportError: if case .tooLarge = error.reason { true } else { false }
        default: false
        }
    }
}
