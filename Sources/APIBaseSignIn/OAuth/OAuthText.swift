/// Shows what an authorization server says about a request, without the secrets of that request.
struct OAuthText {
    /// The codes of the standards (RFC 6749, 8628, 8707, 7009 and OpenID Connect). They are shown even if a secret is
    /// part of one, since the program decides by them.
    private static let knownCodes: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "unsupported_response_type", "server_error", "temporarily_unavailable",
        "authorization_pending", "slow_down", "expired_token", "invalid_target", "unsupported_token_type",
        "interaction_required", "login_required", "account_selection_required", "consent_required",
        "invalid_request_uri", "invalid_request_object", "request_not_supported", "request_uri_not_supported",
        "registration_not_supported", "invalid_token", "insufficient_scope", "use_dpop_nonce", "invalid_dpop_proof",
    ]

    /// The longest text that is shown, in characters.
    private static let limit = 1_000

    /// Whether a text that may be anyone's can be the code of an error: it has its characters (RFC 6749, section 5.2),
    /// and is not longer than any that a server would choose.
    static func isCode(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    private let secrets: [String]

    /// - Parameter secrets: The secrets of the request, and of the client.
    init(without secrets: [String] = []) { self.secrets = secrets }

    /// The code of an error; ``RedactionRules/marker`` if it has a piece of a secret.
    func code(_ code: String) -> String {
        Self.knownCodes.contains(code) ? code : explanation(code) ?? RedactionRules.marker
    }

    /// The identifier of a server; ``RedactionRules/marker`` if it has a piece of a secret.
    func issuer(_ issuer: String) -> String { explanation(issuer) ?? RedactionRules.marker }

    /// The beginning of the text without secrets; `nil` if pieces of one remain: eight bytes in a row, or a shorter
    /// secret.
    func explanation(_ whole: String) -> String? {
        let text = whole.beginning(Self.limit)
        var known = Secrets()
        for secret in secrets { known.insert(secret.utf8) }
        let clean = HTTPFailure.withoutSecrets(known.removed(from: text))
        let rest = clean.replacing(RedactionRules.marker, with: "\0")
        guard !SecretPieces(of: secrets).isAny(in: rest) else { return nil }
        return text.utf8.count < whole.utf8.count ? clean + "…" : clean
    }
}
