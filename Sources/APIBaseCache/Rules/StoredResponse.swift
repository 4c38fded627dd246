import Basics
import HTTPTransport

/// A response in a cache, with what is needed to use it again (RFC 9111, section 3).
struct StoredResponse: Sendable {
    /// The method of the request: `GET` or `QUERY`.
    let method: HTTPMethod

    /// Digests of the request's headers that `Vary` names, by their names in lower case (section 4.1); nil for a header
    /// that the request did not have. Digests, since the values may be credentials, which must not be in files.
    var varying: [String: [UInt8]?]

    var head: ReceivedHead { didSet { metadata = CachingMetadata(head) } }
    let body: Data

    /// True if it must be validated before it is used, even if it is fresh (section 4.4).
    var isInvalid: Bool

    private(set) var metadata: CachingMetadata

    var statusCode: Int { head.statusCode }
    var headers: HTTPHeaders { head.headers }

    init(
        method: HTTPMethod,
        varying: [String: [UInt8]?],
        _ head: ReceivedHead,
        body: Data,
        isInvalid: Bool = false
    ) {
        (self.method, self.varying, self.head, self.body) = (method, varying, head, body)
        self.isInvalid = isInvalid
        metadata = CachingMetadata(head)
    }
}

/// The status and headers of a response, with the times at which it was requested, and at which they were received (RFC
/// 9111, section 4.2.3).
struct ReceivedHead: Sendable, Equatable {
    let statusCode: Int
    var headers: HTTPHeaders
    let requestedAt: Date
    let receivedAt: Date
    /// The lifetime by ``APIBase/lifetime(of:)``, in seconds; `nil` if the headers or the RFC determine it.
    var lifetime: TimeInterval?
}

extension StoredResponse: Equatable {
    static func == (left: StoredResponse, right: StoredResponse) -> Bool {
        left.method == right.method && left.varying == right.varying && left.head == right.head
            && left.body == right.body && left.isInvalid == right.isInvalid
    }
}

// MARK: Vary

extension StoredResponse {
    /// Creates the response to be stored for a request: with digests of the headers that `Vary` names (RFC 9111,
    /// section 4.1), without fields for one connection, and with a `Date` (RFC 9110, section 6.6.1).
    init(answering request: URLRequest, _ head: ReceivedHead, body: Data) {
        var stored = head
        stored.headers = head.headers.withoutConnectionFields.dated(head.receivedAt)
        self.init(method: request.method, varying: Self.varying(head.headers, of: request), stored, body: body)
    }

    /// True if the response may answer a request to its URL (section 4.1): the headers that `Vary` names are equal,
    /// except for insignificant blanks. A response to `GET` answers `HEAD` too.
    func selects(_ request: URLRequest) -> Bool {
        guard method == request.method || (method == .get && request.method == .head),
            !metadata.variesByAnything
        else { return false }
        return varying.allSatisfy { name, value in
            value == request.value(forHTTPHeaderField: name).map(Self.digest)
        }
    }

    /// Digests of the request's headers that `Vary` names.
    static func varying(_ headers: HTTPHeaders, of request: URLRequest) -> [String: [UInt8]?] {
        headers.varyNames.reduce(into: [:]) { varying, name in
            varying.updateValue(request.value(forHTTPHeaderField: name).map(digest), forKey: name)
        }
    }

    /// The digest of a value. Values with the same meaning have the same digest.
    static func digest(of value: String) -> [UInt8] { SHA256.digest(of: normalized(value)) }

    /// The value without blanks at its ends and around commas, and with single blanks elsewhere. Quoted strings stay.
    private static func normalized(_ value: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var (isQuoted, isEscaped, isAfterBlank) = (false, false, false)
        for byte in value.utf8 {
            if byte.isBlank, !isQuoted {
                isAfterBlank = true
                continue
            }
            if isAfterBlank, let last = bytes.last, last != UInt8(ascii: ","), byte != UInt8(ascii: ",") {
                bytes.append(UInt8(ascii: " "))
            }
            isAfterBlank = false
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
            bytes.append(byte)
        }
        return bytes
    }
}

extension HTTPHeaders {
    /// The names in `Vary`, in lower case (RFC 9110, section 12.5.5). An invalid name counts as `*`, since it is not
    /// known what the response depends on.
    var varyNames: [String] {
        names(listedIn: "Vary").map { $0.isToken ? $0 : "*" }
    }

    /// The fields that are stored (RFC 9111, section 3.1): without those for one connection (RFC 9110, section 7.6.1),
    /// and those between client and proxy.
    var withoutConnectionFields: HTTPHeaders {
        let removed = Set(names(listedIn: "Connection")).union(Self.connectionFields)
        var kept = HTTPHeaders()
        for field in self where !removed.contains(field.name.lowercasedASCII()) {
            kept.add(name: field.name, value: field.value)
        }
        return kept
    }

    /// The fields with a `Date`, which is this one if they have none.
    func dated(_ date: Date) -> HTTPHeaders {
        guard !contains(name: "Date") else { return self }
        var dated = self
        dated.add(name: "Date", value: HTTPDate.text(date))
        return dated
    }

    private func names(listedIn name: String) -> [String] {
        values(for: name).flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .map { String(Substring($0)).trimmingCharacters(in: .whitespaces).lowercasedASCII() }
            .filter { !$0.isEmpty }
    }

    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]
}
