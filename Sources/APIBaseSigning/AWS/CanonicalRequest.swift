import Basics
import HTTPTransport

/// A request as AWS signs it ("Create a signed AWS API request", step 1).
struct CanonicalRequest {
    var method: String
    var path: String
    var query: String
    /// The digest of the body, or a word that stands for it.
    var payload: String
    /// Names in lower case with their values, sorted by name.
    private let headers: [(name: String, value: String)]

    /// Headers that proxies and clients add or change on the way, or that carry a signature.
    private static let unsigned: Set<String> = [
        "authorization", "cache-control", "connection", "content-length", "expect", "from", "keep-alive",
        "max-forwards", "pragma", "proxy-authorization", "proxy-connection", "referer", "te", "trailer",
        "transfer-encoding", "upgrade", "user-agent", "accept-encoding", "x-amzn-trace-id",
    ]

    /// Sorts the headers, which are all of the request; `host` is the value of `Host`.
    ///
    /// - Throws: ``SigningError/invalidHeader(name:)``.
    init(method: String, path: String, query: String, headers: HTTPHeaders, host: String, payload: String) throws {
        (self.method, self.path, self.query, self.payload) = (method, path, query, payload)
        var values: [String: [String]] = ["host": [host]]
        for (name, value) in headers {
            let lowercased = name.lowercasedASCII()
            guard !Self.unsigned.contains(lowercased), lowercased != "host" else { continue }
            guard name.isToken, let trimmed = value.trimmedFieldValue else {
                throw SigningError.invalidHeader(name: name)
            }
            values[lowercased, default: []].append(trimmed.withSingleSpaces)
        }
        self.headers = values.map { (name: $0.key, value: $0.value.joined(separator: ",")) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The names of the signed headers, joined by semicolons.
    var signedHeaders: String { headers.map(\.name).joined(separator: ";") }

    /// The text that is digested.
    var text: String {
        let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
        return [method, path, query, lines, signedHeaders, payload].joined(separator: "\n")
    }
}

extension String {
    /// The text with one space in place of several in a row.
    fileprivate var withSingleSpaces: String {
        guard contains("  ") else { return self }
        return split(separator: " ").joined(separator: " ")
    }
}
