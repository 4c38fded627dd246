/// Credentials that hold for some time: the value of an `Authorization: Bearer` header (RFC 6750, section 2.1).
public struct Token: Sendable, Hashable {
    /// The token itself.
    public let value: String
    /// The time at which the token expires; `nil` if that is not known.
    public let expiresAt: Date?

    /// Creates a token.
    public init(_ value: String, expiresAt: Date? = nil) {
        self.value = value
        self.expiresAt = expiresAt
    }
}

extension Token: CustomStringConvertible, CustomReflectable {
    /// Not the token: it is a secret.
    public var description: String { "<token>" }

    /// Nothing: `dump` shows no token either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
