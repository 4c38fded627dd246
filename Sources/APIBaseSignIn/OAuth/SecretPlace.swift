extension TokenSource {
    /// The way in which a client proves its name to a token endpoint (RFC 6749, section 2.3).
    public struct SecretPlace: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case header
            case form
            case assertion(ClientAssertion)
        }

        let kind: Kind

        /// The secret in an `Authorization: Basic` header, which every server accepts.
        public static let header = SecretPlace(kind: .header)

        /// The fields `client_id` and `client_secret` of the form, for servers that accept only these.
        public static let form = SecretPlace(kind: .form)

        /// A signed JSON Web Token in place of the secret (RFC 7523, section 2.2), as `private_key_jwt` and
        /// `client_secret_jwt` of OpenID Connect are.
        ///
        /// - Parameter make: Makes the token, with `iss` and `sub` the name of the client, `aud` the server, and `exp`
        /// and
        ///   `jti`. It is called for each request, since a server accepts each token once. If it throws, the request
        ///   fails with that error.
        /// - Returns: The fields `client_id`, `client_assertion` and `client_assertion_type` of the form.
        public static func assertion(_ make: @escaping @Sendable () async throws -> String) -> SecretPlace {
            SecretPlace(kind: .assertion(ClientAssertion(make)))
        }
    }
}

/// The maker of an assertion; compared by identity.
final class ClientAssertion: Sendable, Hashable {
    let make: @Sendable () async throws -> String

    init(_ make: @escaping @Sendable () async throws -> String) { self.make = make }

    static func == (left: ClientAssertion, right: ClientAssertion) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
