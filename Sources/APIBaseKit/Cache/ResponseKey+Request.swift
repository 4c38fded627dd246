import Basics
import HTTPTransport

extension ResponseKey {
    /// Creates a key without digests: the URL, and who asks, which is what the headers with credentials say.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent.
    ///   - secretHeaders: The headers that it declares secret.
    ///   - identity: That of the source whose token is the value of `Authorization`: it takes the place of the token, which
    ///     changes. `nil` if the value is somebody's own.
    init(_ request: URLRequest, secretHeaders: Set<String>, tokensOf identity: String? = nil) {
        let secrets = (request.allHTTPHeaderFields ?? [:]).filter { SecretHeaders.contains($0.key, in: secretHeaders) }
        let lines = secrets.map { name, value in
            // No header has a blank in its name.
            if let identity, name.equalsIgnoringCase("Authorization") { return Self.line("tokens of", identity) }
            return Self.line(name.lowercasedASCII(), value)
        }
        self.init(url: request.url.map(Self.name) ?? "", user: lines.sorted().joined())
    }

    /// A name and a value so that no others give the same text.
    private static func line(_ name: String, _ value: String) -> String { "\(name):\(value.utf8.count):\(value)\n" }

    /// A URL without its fragment, which no server sees.
    static func name(of url: URL) -> String {
        let text = url.absoluteString
        return text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
    }
}
