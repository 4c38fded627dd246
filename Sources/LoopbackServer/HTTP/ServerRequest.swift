package import Foundation

/// A request as it was received.
package struct ServerRequest: Sendable {
    /// The method as sent. Methods are case-sensitive.
    package let method: String
    /// The request target as sent.
    package let target: String
    /// The path of the target as sent; "*" for the asterisk-form.
    package let path: String
    /// The decoded segments of the path. An empty one at the end is left out.
    package let pathSegments: [String]
    /// The decoded query in order. "+" is a space, and a name without "=" has an empty value.
    package let query: [QueryItem]
    /// The requested host: that of an absolute target, otherwise that of the `Host` field.
    package let host: String?
    package let headers: HTTPFields
    package let body: Data
    /// "1.0" or "1.1".
    package let httpVersion: String
    package let rawHead: Data

    package func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Whether the client wants to keep the connection open (RFC 9112, section 9.3).
    var keepsAlive: Bool {
        let options = headers.tokens(for: "Connection")
        return !options.contains("close") && (httpVersion == "1.1" || options.contains("keep-alive"))
    }
}

package struct QueryItem: Sendable, Equatable {
    package let name: String
    package let value: String
}
