package import Foundation

/// A request, as it is compared with a document.
package struct SentRequest: Sendable {
    package var method: String
    package var url: URLComponents
    /// The path of the URL below the base URL of the API's class, percent-encoded; `nil` if that is not known.
    package var pathBelowBase: String?
    package var message: Message

    package init(method: String, url: URLComponents, pathBelowBase: String? = nil, message: Message) {
        (self.method, self.url, self.pathBelowBase, self.message) = (method, url, pathBelowBase, message)
    }

    /// The names and values of the query, percent-encoded.
    var queryItems: [(name: String, value: String)] {
        Self.items(url.percentEncodedQuery ?? "", "&")
    }

    /// The names and values of the cookies.
    var cookies: [(name: String, value: String)] {
        (message["cookie"] ?? "").split(separator: ";").map { cookie in
            let halves = cookie.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = halves.map { $0.trimmingCharacters(in: .whitespaces) }
            return (texts[0], texts.count > 1 ? texts[1] : "")
        }
    }

    /// Names, decoded, with values that are not.
    static func items(_ text: String, _ separator: Character) -> [(name: String, value: String)] {
        text.split(separator: separator).map { item in
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(halves[0]).decoded, halves.count > 1 ? String(halves[1]) : "")
        }
    }
}

/// The headers and the body of a request or a reply.
package struct Message: Sendable {
    private let headers: [String: String]
    /// `nil` if it is not known, as in some recordings.
    package let body: Data?

    /// - Parameters:
    ///   - headers: The names and values. Those of one name are joined with commas, cookies with semicolons.
    ///   - body: The bytes, decompressed; `nil` if they are not known.
    package init(headers: [(name: String, value: String)], body: Data?) {
        let groups = Dictionary(grouping: headers) { $0.name.lowercased() }
        self.headers = Dictionary(
            uniqueKeysWithValues: groups.map { name, fields in
                let values = fields.map { $0.value.trimmingCharacters(in: .whitespaces) }
                return (name, values.joined(separator: name == "cookie" ? "; " : ", "))
            }
        )
        self.body = body
    }

    subscript(name: String) -> String? { headers[name.lowercased()] }

    var mediaType: MediaType? { self["content-type"].map(MediaType.init) }

    /// A parameter in a header, such as the boundary in the media type of a multipart body.
    func parameter(_ name: String, of header: String) -> String? {
        var isQuoted = false
        let parameters = (self[header] ?? "").split {
            if $0 == "\"" { isQuoted.toggle() }
            return $0 == ";" && !isQuoted
        }
        for parameter in parameters.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces).lowercased() == name else { continue }
            return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: " \""))
        }
        return nil
    }
}

extension String {
    /// The text of a query or a form, decoded.
    var decoded: String { replacing("+", with: " ").removingPercentEncoding ?? self }
}
