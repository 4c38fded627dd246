#if os(Linux) || os(Android)
import APIBaseKit
import Basics

extension Connection {
    /// The options that say something about the way to the server.
    static let options: [Option] = [.authorities, .certificate, .key, .proxy, .address]

    /// The part of a help text that is about them.
    static let help = """


        TRUST
          Certificates are always verified. For a server with a certificate of its own, --cacert FILE names that certificate, or
          the authority that has signed it.
        """

    /// All calls that go the same way share their connections.
    private static let sessions = Locked<[CurlSession.Configuration: CurlSession]>([:])

    /// The session for that way; `nil` for the default one, if nothing was said.
    ///
    /// - Parameter environment: Where the proxy may be.
    /// - Returns: The session.
    /// - Throws: ``UsageError/unavailable(_:reason:)``.
    func session(in environment: [String: String]) throws(UsageError) -> (any HTTPSession)? {
        var configuration = CurlSession.Configuration()
        configuration.certificateAuthorities = try file(authorities, .authorities)
        if let certificate = try file(certificate, .certificate) {
            configuration.identity = .init(certificate: certificate, key: try file(key, .key))
        }
        if let proxy { configuration.proxy = .url(try proxy.resolved(.proxy, in: environment)) }
        configuration.addresses = addresses
        guard configuration != CurlSession.Configuration() else { return nil }
        return Self.sessions.withLock { sessions in
            let session = sessions[configuration] ?? CurlSession(configuration: configuration)
            sessions[configuration] = session
            return session
        }
    }

    private func file(_ path: String?, _ option: Option) throws(UsageError) -> URL? {
        guard let path else { return nil }
        let file = URL(fileURLWithPath: path)
        _ = try HTTPBody.readable(file, named: path, type: nil, as: option.name)
        return file
    }
}
#endif
