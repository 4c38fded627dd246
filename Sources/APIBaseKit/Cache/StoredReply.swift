import HTTPTransport

/// One reply as a cache keeps it, with what has to be known to use it again (RFC 9111, section 3).
struct StoredReply: Sendable, Equatable {
    /// The method it answered: `GET` or `HEAD`.
    var method: HTTPMethod

    /// The URL that answered it.
    var url: URL

    /// The headers of the request that `Vary` names, by their names in lower case (section 4.1); nil for one it did not have.
    var varying: [String: String?]

    var statusCode: Int
    var headers: HTTPHeaders
    var body: Data

    /// When it was asked for, and when its head was received (section 4.2.3).
    var requestedAt: Date
    var receivedAt: Date

    /// Whether it must be validated before it is used, whatever its age (section 4.4).
    var isInvalid = false
}
