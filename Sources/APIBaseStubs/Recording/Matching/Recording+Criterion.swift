extension Recording {
    /// A part of a request that is compared to find its entry.
    ///
    /// Both are compared as they are after redaction, so a secret in the request need not be the one that was recorded.
    /// ``/APIBaseKit/Redaction/marker`` in a request of the file stands for anything, also where it was put in by hand.
    public enum Criterion: Sendable, Hashable {
        /// The method.
        case method
        /// Scheme, host and port.
        case origin
        /// The path, still escaped.
        case path
        /// Names and values in the query. Only items of one name have an order among each other.
        case query
        /// The values of the header with this name, compared without case.
        case header(String)
        /// The body. JSON is compared as what it says: the order of members and the spacing do not count.
        case body
    }
}

extension Set<Recording.Criterion> {
    /// The method and the URL.
    public static let `default`: Set = [.method, .origin, .path, .query]
}
