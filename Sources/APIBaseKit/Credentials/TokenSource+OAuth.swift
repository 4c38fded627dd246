import Basics

extension TokenSource {
    /// Tokens for a program of its own accord, by its name and secret (RFC 6749, section 4.4).
    ///
    /// For caches, sources with the same endpoint, client and scope are one caller, also in other processes.
    ///
    /// - Parameters:
    ///   - url: The token endpoint.
    ///   - id: The name of the client.
    ///   - secret: Its secret. Both go out as RFC 6749, section 2.3.1 has it, in an `Authorization: Basic` header.
    ///   - scope: What the token shall be good for; `nil` for what the server thinks fit.
    ///   - session: What carries the calls to the endpoint out; `nil` for the session that requests have by default.
    /// - Returns: A source that fails with ``OAuthError`` if the server refuses, and as any call otherwise.
    public static func clientCredentials(
        at url: URL,
        id: String,
        secret: String,
        scope: String? = nil,
        session: (any HTTPSession)? = nil
    ) -> TokenSource {
        // As JSON, no two triples are the same text.
        let caller = try? JSONEncoder().encode(["client credentials", url.absoluteString, id, scope])
        return TokenSource(identity: caller.map { String(decoding: $0, as: UTF8.self) }) { _ in
            let fields = [("grant_type", "client_credentials")] + (scope.map { [("scope", $0)] } ?? [])
            return try await OAuthRequest(fields, to: url, id: id, secret: secret, session: session).value().token
        }
    }

    /// Tokens on behalf of a user who has agreed before (RFC 6749, section 6).
    ///
    /// If the server hands out another refresh token, that one is used from then on; it is not kept beyond the process.
    ///
    /// - Parameters:
    ///   - token: The refresh token.
    ///   - url: The token endpoint.
    ///   - id: The name of the client.
    ///   - secret: Its secret; `nil` for a client without one, whose name goes into the form.
    ///   - session: What carries the calls to the endpoint out; `nil` for the session that requests have by default.
    /// - Returns: A source that fails with ``OAuthError`` if the server refuses, and as any call otherwise.
    public static func refreshToken(
        _ token: String,
        at url: URL,
        id: String,
        secret: String? = nil,
        session: (any HTTPSession)? = nil
    ) -> TokenSource {
        let current = Locked(token)
        return TokenSource { _ in
            // A task of its own, which a cancel does not reach: a server that has seen the token may take no other than the next.
            try await Task {
                let fields = [("grant_type", "refresh_token"), ("refresh_token", current.withLock { $0 })]
                let reply = try await OAuthRequest(fields, to: url, id: id, secret: secret, session: session).value()
                if let next = reply.refreshToken { current.withLock { $0 = next } }
                return reply.token
            }.value
        }
    }
}

/// Why a token endpoint gave no token (RFC 6749, section 5.2).
public struct OAuthError: Error, LocalizedError, Sendable, Hashable {
    /// The code of the standard, such as `invalid_grant`.
    public let code: String
    /// The server's explanation for developers.
    public let explanation: String?
    /// The status of the reply.
    public let statusCode: Int

    /// The code and the explanation, as a sentence.
    public var errorDescription: String? {
        "The token endpoint refuses with “\(code)” and status \(statusCode)\(explanation.map { ": \($0)" } ?? ".")"
            .withoutControls
    }
}

/// A request to a token endpoint (RFC 6749, section 3.2).
private final class OAuthRequest: JSONAPI, Request {
    typealias ModelType = OAuthReply

    init(_ fields: [(String, String)], to url: URL, id: String, secret: String?, session: (any HTTPSession)?) {
        super.init(.post(url.absoluteString))
        if let session { self.session = session }
        var fields = fields
        if let secret {
            authorization = .basic(user: id.escapedForForm, password: secret.escapedForForm)
        } else {
            fields.append(("client_id", id))
        }
        content = .form(fields)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
    }

    override func error(for failure: HTTPFailure) -> any Error {
        refusal(in: failure.body, statusCode: failure.statusCode) ?? super.error(for: failure)
    }

    /// Some servers refuse with status 200.
    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        if let refusal = refusal(in: data, statusCode: 200) { throw refusal }
        return try super.decode(type, from: data)
    }

    private func refusal(in data: Data, statusCode: Int) -> OAuthError? {
        struct Refusal: Decodable {
            var error: String
            var errorDescription: String?
        }
        guard let refusal = try? decoder.decode(Refusal.self, from: data) else { return nil }
        return OAuthError(code: refusal.error, explanation: refusal.errorDescription, statusCode: statusCode)
    }
}

/// The reply of a token endpoint (RFC 6749, section 5.1).
private struct OAuthReply: Decodable {
    var accessToken: String
    var expiresIn: Seconds?
    var refreshToken: String?

    var token: Token { Token(accessToken, expiresAt: expiresIn?.value.map { Date(timeIntervalSinceNow: $0) }) }

    /// A number. Some servers write it as text.
    struct Seconds: Decodable {
        var value: Double?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try (try? container.decode(Double.self)) ?? Double(container.decode(String.self))
        }
    }
}
