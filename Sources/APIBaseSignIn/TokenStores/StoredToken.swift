/// A token as a ``TokenStore`` keeps it, with the refresh token that replaces it.
///
/// All of it is secret: it prints nothing of itself, and `Codable` gives it as it is.
public struct StoredToken: Codable, Sendable, Hashable {
    /// The access token. One that cannot be sent, see ``Token/value``, is never stored, and counts as refused if it is
    /// stored already.
    public var value: String
    /// The time at which the access token expires; `nil` if that is not known.
    public var expiresAt: Date?
    /// The token that gets the next access token (RFC 6749, section 1.5); `nil` or empty if there is none. It is sent in
    /// a form, which takes any text.
    public var refreshToken: String?
    /// The server at which the access token is used, as scheme, host and port: `https://api.example:443`. If servers
    /// share the token, one of them, also with a wildcard. The source sets it, so that no other server gets the token
    /// after a restart. `nil` for the first server that is called, which the source then stores.
    public var server: String?

    /// Creates a token.
    public init(_ value: String, expiresAt: Date? = nil, refreshToken: String? = nil, server: String? = nil) {
        (self.value, self.expiresAt, self.refreshToken, self.server) = (value, expiresAt, refreshToken, server)
    }
}

extension StoredToken: CustomStringConvertible, CustomReflectable {
    /// A placeholder, since the tokens are secrets.
    public var description: String { "<stored token>" }

    /// An empty mirror: `dump` does not show the tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
