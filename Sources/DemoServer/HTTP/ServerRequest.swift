package import Foundation

/// One request as it came over the wire.
package struct ServerRequest: Sendable {
    /// As sent: methods have case.
    package let method: String
    /// The request target as sent, with its escapes and query.
    package let target: String
    /// The path of the target as sent, with its escapes; "*" for the asterisk-form.
    package let path: String
    /// The pieces of the path between slashes, decoded. An empty one at the end is left out.
    package let pathSegments: [String]
    /// The query, decoded, in order. "+" is a blank, and a name without "=" has an empty value.
    package let query: [QueryItem]
    /// The host the client asked for: of an absolute target, otherwise of the `Host` field.
    package let host: String?
    package let headers: HTTPFields
    package let body: Data
    /// The fields after a chunked body.
    package let trailers: HTTPFields
    /// "1.0" or "1.1".
    package let httpVersion: String
    /// The head byte for byte, from the method to the empty line.
    package let rawHead: Data

    /// The first value of that name in the query.
    package func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
