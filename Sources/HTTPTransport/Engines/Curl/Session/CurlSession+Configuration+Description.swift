#if os(Linux) || os(Android)
import Foundation

extension CurlSession.Configuration.Identity: CustomStringConvertible, CustomReflectable {
    /// The files, and that there is a password: never which.
    public var description: String {
        let fields = [
            "certificate: \(certificate.path)", key.map { "key: \($0.path)" },
            password.map { _ in "password: <redacted>" },
        ]
        return "Identity(\(fields.compactMap(\.self).joined(separator: ", ")))"
    }

    /// The mirror for `dump`: the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["identity": description], displayStyle: .struct) }
}

extension CurlSession.Configuration.Proxy: CustomStringConvertible, CustomReflectable {
    /// The case, with the proxy's URL but for user name, password and values of its query.
    public var description: String {
        switch self {
        case .none: "none"
        case .environment: "environment"
        case .url(let text, let except):
            "url(\(Self.shown(text)), except: \(except))"
        }
    }

    /// Where there is no host, nothing tells what is a password.
    private static func shown(_ text: String) -> String {
        guard let url = URL(string: text), url.host?.isEmpty == false else { return "<no URL>" }
        return url.redacted?.absoluteString ?? "<no URL>"
    }

    /// The mirror for `dump`: the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["proxy": description], displayStyle: .enum) }
}
#endif
