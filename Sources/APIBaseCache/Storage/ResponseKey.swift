import Basics
import HTTPTransport

/// The key by which a cache finds responses. It reveals neither the URL nor the credentials: both are digests.
///
/// The responses to `QUERY` have keys of their own below their URL, by the body and its header fields (RFC 10008, section
/// 2.7). So another body is another key, no response to `QUERY` answers a `GET`, and what is removed for a URL includes
/// them.
public struct ResponseKey: Sendable, Hashable {
    /// The digest of a URL: 64 hexadecimal digits.
    public typealias URLDigest = String

    /// The digest of the URL: 64 hexadecimal digits.
    public let url: URLDigest

    /// The digest of the credentials, and of the body of a `QUERY`: 64 hexadecimal digits.
    public let user: String

    /// Creates a key from two digests.
    public init(url: URLDigest, user: String) {
        self.url = url
        self.user = user
    }
}

// MARK: Requests

extension ResponseKey {
    /// Creates a key without digests, from the URL and the headers with credentials.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent.
    ///   - secretHeaders: The names of its secret headers.
    ///   - identity: The identity of the source whose token is in `Authorization`. It replaces the token, which
    ///     changes. `nil` if the header is not from a source.
    init(_ request: URLRequest, secretHeaders: Set<String>, tokensOf identity: String? = nil) {
        let secrets = (request.allHTTPHeaderFields ?? [:]).filter { HTTPHeaders.isSecret($0.key, in: secretHeaders) }
        var lines = secrets.map { name, value in
            // No header has a blank in its name.
            if let identity, name.equalsIgnoringCase("Authorization") { return Self.line("tokens of", identity) }
            return Self.line(name.lowercasedASCII(), value)
        }
        if request.method == .query { lines += Self.lines(ofQuery: request) }
        self.init(url: request.url.map(Self.name) ?? "", user: lines.sorted().joined())
    }

    /// The digest of the body of a `QUERY`, and the fields that say what the body is (RFC 9110, section 8), as its type,
    /// coding and language.
    private static func lines(ofQuery request: URLRequest) -> [String] {
        let fields = (request.allHTTPHeaderFields ?? [:]).map { (name: $0.lowercasedASCII(), value: $1) }
            .filter { $0.name.hasPrefix("content-") && $0.name != "content-length" }
        let body = line("query body", SHA256.hex(of: request.httpBody ?? Data()))
        return fields.map { line("query \($0.name)", $0.value) } + [body]
    }

    /// A name and a value, with the length of the value so that the text is unambiguous.
    private static func line(_ name: String, _ value: String) -> String { "\(name):\(value.utf8.count):\(value)\n" }

    /// The URL without its fragment, which is not sent.
    static func name(of url: URL) -> String {
        let text = url.absoluteString
        return text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
    }
}

// MARK: Files

extension ResponseKey {
    /// The name of the folder that contains the folder of the URL.
    var group: String { String(url.prefix(2)) }

    /// Throws `EINVAL` unless both digests are 64 lower-case digits: nothing else may become the name of a file.
    func check() throws {
        guard url.isDigest, user.isDigest else { throw POSIXError(.EINVAL) }
    }
}

extension String {
    /// True if this is the name of a ``ResponseKey/group``.
    var isGroup: Bool { utf8.count == 2 && utf8.allSatisfy(\.isDigestDigit) }

    /// True if this is a digest: 64 hexadecimal digits in lower case.
    var isDigest: Bool { utf8.count == 64 && utf8.allSatisfy(\.isDigestDigit) }
}

extension UInt8 {
    fileprivate var isDigestDigit: Bool { isASCIIHexDigit && self == lowercasedASCII }
}
