import Basics

extension ResponseKey {
    /// Creates a key without digests: the URL, and the values of the headers with credentials.
    init(_ request: URLRequest, secretHeaders: Set<String>) {
        let secrets = (request.allHTTPHeaderFields ?? [:]).filter { field in
            secretHeaders.contains { $0.equalsIgnoringCase(field.key) }
        }
        let lines = secrets.map { "\($0.lowercasedASCII()):\($1.utf8.count):\($1)\n" }
        self.init(url: request.url.map(Self.name) ?? "", user: lines.sorted().joined())
    }

    /// A URL without its fragment, which no server sees.
    static func name(of url: URL) -> String {
        let text = url.absoluteString
        return text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
    }
}
