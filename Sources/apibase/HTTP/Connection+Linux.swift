#if os(Linux) || os(Android)
import APIBaseKit
import Basics

struct Connection: Hashable {
    static let options: [Option] = [.authorities, .certificate, .key, .proxy, .address]

    static let help = """


        TRUST
          Certificates are always verified. For a self-signed certificate, or one of a private authority, --cacert FILE
          names that certificate or the certificate of the authority.
        """

    private var configuration = CurlSession.Configuration()

    init() {}

    init(_ arguments: Arguments) throws {
        func file(_ option: Option) throws -> URL? {
            guard let path = arguments.value(option) else { return nil }
            _ = try HTTPBody.readable(at: path, as: option.name)
            return URL(fileURLWithPath: path)
        }
        guard arguments.has(.certificate) || !arguments.has(.key) else {
            throw UsageError.needs(Option.key.name, Option.certificate.name)
        }
        configuration.certificateAuthorities = try file(.authorities)
        if let certificate = try file(.certificate) {
            configuration.identity = .init(certificate: certificate, key: try file(.key))
        }
        if let proxy = arguments.value(.proxy) {
            let environment = ProcessInfo.processInfo.environment
            configuration.proxy = .url(try Secret(proxy).resolved(.proxy, in: environment))
        }
        if let text = arguments.value(.address) {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, !parts[0].isEmpty, UInt16(parts[1]) != nil, !parts[2].isEmpty else {
                let expected = "HOST:PORT:ADDRESS, such as example.com:443:127.0.0.1"
                throw UsageError.badValue(Option.address.name, text, expected)
            }
            configuration.addresses = ["\(parts[0]):\(parts[1])": parts[2].split(separator: ",").map(String.init)]
        }
    }

    /// Calls with the same options share their connections.
    private static let sessions = Locked<[CurlSession.Configuration: CurlSession]>([:])

    /// The session for the options; `nil` for the default session.
    var session: (any HTTPSession)? {
        guard configuration != CurlSession.Configuration() else { return nil }
        return Self.sessions.value(of: configuration) { CurlSession(configuration: configuration) }
    }
}

extension Option {
    fileprivate static let authorities = Option("--cacert", value: "FILE", "trust only the authorities in FILE (PEM)")
    fileprivate static let certificate = Option("--cert", value: "FILE", "the client certificate (PEM)")
    fileprivate static let key = Option("--key", value: "FILE", "the certificate's key (PEM), if it is not in --cert")
    fileprivate static let proxy = Option("--proxy", value: "URL", "use this proxy; also env:NAME or file:PATH")
    fileprivate static let address = Option("--resolve", value: "HOST:PORT:ADDRESS", "connect to ADDRESS without DNS")
}
#endif
