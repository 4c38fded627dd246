import HTTPTransport

/// One reply as a cache keeps it, with what has to be known to use it again (RFC 9111, section 3).
struct StoredReply: Sendable {
    /// The method it answered: `GET` or `HEAD`.
    let method: HTTPMethod

    /// Digests of the headers of the request that `Vary` names, by their names in lower case (section 4.1); nil for one it
    /// did not have. They may be credentials, which are not to be in files.
    var varying: [String: [UInt8]?]

    let statusCode: Int
    var headers: HTTPHeaders { didSet { facts = ReplyFacts(self) } }
    let body: Data

    /// The times at which it was requested, and at which its head was received (section 4.2.3).
    var requestedAt: Date { didSet { facts = ReplyFacts(self) } }
    var receivedAt: Date { didSet { facts = ReplyFacts(self) } }

    /// Whether it must be validated before it is used, whatever its age (section 4.4).
    var isInvalid: Bool

    /// The facts read from its headers.
    private(set) var facts: ReplyFacts

    init(
        method: HTTPMethod,
        varying: [String: [UInt8]?],
        statusCode: Int,
        headers: HTTPHeaders,
        body: Data,
        requestedAt: Date,
        receivedAt: Date,
        isInvalid: Bool = false
    ) {
        (self.method, self.varying) = (method, varying)
        (self.statusCode, self.headers, self.body) = (statusCode, headers, body)
        (self.requestedAt, self.receivedAt, self.isInvalid) = (requestedAt, receivedAt, isInvalid)
        facts = ReplyFacts(statusCode: statusCode, headers: headers, requestedAt: requestedAt, receivedAt: receivedAt)
    }
}

extension StoredReply: Equatable {
    static func == (left: StoredReply, right: StoredReply) -> Bool {
        left.method == right.method && left.varying == right.varying
            && left.statusCode == right.statusCode && left.headers == right.headers && left.body == right.body
            && left.requestedAt == right.requestedAt && left.receivedAt == right.receivedAt
            && left.isInvalid == right.isInvalid
    }
}
