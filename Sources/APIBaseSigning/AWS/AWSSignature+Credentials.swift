extension AWSSignature {
    /// The access key that requests to AWS are signed with. Nothing prints the secret key and the session token.
    public struct Credentials: Sendable {
        /// The identifier of the access key, which is sent with each request.
        public var accessKeyID: String
        let secretAccessKey: String
        let sessionToken: String?

        /// An access key.
        ///
        /// - Parameters:
        ///   - accessKeyID: Its identifier.
        ///   - secretAccessKey: Its secret, which is not sent.
        ///   - sessionToken: The token of temporary credentials, which is sent and signed. By default none.
        public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
            self.accessKeyID = accessKeyID
            self.secretAccessKey = secretAccessKey
            self.sessionToken = sessionToken
        }
    }
}

extension AWSSignature.Credentials: CustomStringConvertible, CustomReflectable {
    /// The identifier of the access key, without the secrets.
    public var description: String { "Credentials(\(accessKeyID.debugDescription), <secret>)" }

    /// The mirror for `dump`: the identifier only.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID], displayStyle: .struct) }
}
