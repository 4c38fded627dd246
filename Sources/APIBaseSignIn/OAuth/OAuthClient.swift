import Basics

/// The client of a token endpoint.
struct OAuthClient: Sendable {
    let url: URL
    let id: String
    let secret: String?
    let place: TokenSource.SecretPlace
    /// Additional fields of the form. They replace other fields of the same name.
    var more: [String: String] = [:]
    let session: (any HTTPSession)?

    /// The header that identifies the client; `nil` if the form does.
    var authorization: Authorization? {
        guard let secret, place == .header else { return nil }
        return .basic(user: id.escapedForForm, password: secret.escapedForForm)
    }

    /// The form of a request: its fields, the client's name and what proves it, and ``more``.
    func form(_ fields: [(String, String)]) async throws -> [(String, String)] {
        var fields = fields
        if authorization == nil { fields.append(("client_id", id)) }
        switch place.kind {
        case .header: break
        case .form: if let secret { fields.append(("client_secret", secret)) }
        case .assertion(let assertion):
            fields.append(("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"))
            fields.append(("client_assertion", try await assertion.make()))
        }
        return fields.filter { more[$0.0] == nil } + more.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Posts a form to one of the server's endpoints.
    func post<Model: Decodable & Sendable>(
        _ fields: [(String, String)],
        to url: URL,
        _ type: Model.Type = Model.self
    ) async throws -> Model {
        let form = try await form(fields)
        return try await OAuthRequest<Model>(form, to: url, of: self).value()
    }

    /// Gets a token for a grant.
    func token(_ fields: [(String, String)]) async throws -> StoredToken {
        try await post(fields, to: url, OAuthResponse.self).token
    }

    /// Gets a token by a refresh token (RFC 6749, section 6), which stays valid if the server does not replace it.
    func token(refreshing refreshToken: String) async throws -> StoredToken {
        var token = try await uncanceled {
            try await self.token([("grant_type", "refresh_token"), ("refresh_token", refreshToken)])
        }
        token.refreshToken = token.refreshToken ?? refreshToken
        return token
    }

    /// Revokes what a store has held (RFC 7009, section 2.1): the refresh token, with which a server should end the
    /// access tokens too, and then the access token.
    func revoke(_ stored: StoredToken, at url: URL) async throws {
        // They are for token requests.
        var client = self
        client.more = [:]
        var refusal: TokenSource.OAuthError?
        for (hint, token) in [("refresh_token", stored.refreshToken ?? ""), ("access_token", stored.value)]
        where !token.isEmpty {
            do {
                let form = try await client.form([("token", token), ("token_type_hint", hint)])
                try await RevocationRequest(form, to: url, of: client).value()
            } catch let error as TokenSource.OAuthError {
                // Section 2.2.1: the server revokes refresh tokens only.
                if error.code != "unsupported_token_type" || hint == "refresh_token" { refusal = refusal ?? error }
            }
        }
        if let refusal { throw refusal }
    }

    /// Revokes the tokens of a store; `nil` without an endpoint.
    func revocation(at url: URL?) -> StoredTokens.Revocation? {
        guard let url else { return nil }
        return { try await revoke($0, at: url) }
    }

    /// Gets a token by the refresh token of the former one. If there is none, or the server does not accept it any more,
    /// the user signs in.
    func token(replacing old: StoredToken?, orBy signIn: () async throws -> StoredToken) async throws -> StoredToken {
        if let refreshToken = old?.refreshToken, !refreshToken.isEmpty {
            do {
                return try await token(refreshing: refreshToken)
            } catch let error as TokenSource.OAuthError where error.code == "invalid_grant" {
                try Task.checkCancellation()
            }
        }
        return try await signIn()
    }
}

extension OAuthClient {
    /// The client of a user's sign-in. Of the parameters, the token endpoint gets `resource` (RFC 8707, section 2.2).
    static func signIn(
        at url: URL,
        _ id: String,
        _ secret: String?,
        _ place: TokenSource.SecretPlace,
        _ parameters: [String: String],
        _ session: (any HTTPSession)?
    ) -> OAuthClient {
        let more = parameters.filter { $0.key == "resource" }
        return OAuthClient(url: url, id: id, secret: secret, place: place, more: more, session: session)
    }
}
