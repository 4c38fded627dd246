import Basics

/// The request line and the header fields, checked (RFC 9112, sections 3 and 5).
struct RequestHead: Equatable {
    let method: String
    let target: String
    let parsedTarget: RequestTarget
    /// "1.0" or "1.1"; a later 1.x counts as 1.1 (RFC 9110, section 2.5).
    let version: String
    let fields: HTTPFields

    /// Parses a head that ``RequestHeadScanner`` found.
    init(_ bytes: [UInt8]) throws(HTTPError) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { $0.last == 0x0D ? $0.dropLast() : $0 }[...]
        let words = (lines.popFirst() ?? []).split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3 else {
            throw HTTPError(400, "The request line is not a method, a target and a version with one blank between.")
        }
        guard !words[0].isEmpty, words[0].allSatisfy(\.isToken) else {
            throw HTTPError(400, "The method is not a token.")
        }
        method = String(decoding: words[0], as: UTF8.self)
        version = try Self.version(words[2])
        guard method != "CONNECT" else { throw HTTPError(501, "This server is not a proxy.") }
        target = String(decoding: words[1], as: UTF8.self)
        parsedTarget = try RequestTarget(target, method: method)
        fields = try HTTPFields(lines: lines.filter { !$0.isEmpty })
        try Self.checkHost(fields, version: version)
    }

    private static func version(_ word: some Collection<UInt8>) throws(HTTPError) -> String {
        let text = Array(word)
        guard text.count == 8, text.starts(with: "HTTP/".utf8), text[6] == UInt8(ascii: "."),
            let major = text[5].hexadecimalValue, let minor = text[7].hexadecimalValue, major < 10, minor < 10
        else { throw HTTPError(400, "The request line does not end in an HTTP version.") }
        guard major == 1 else { throw HTTPError(505, "This server supports only HTTP/1.0 and HTTP/1.1.") }
        return minor == 0 ? "1.0" : "1.1"
    }

    private static func checkHost(_ fields: HTTPFields, version: String) throws(HTTPError) {
        let hosts = fields.values(for: "Host")
        guard hosts.count == 1 || (hosts.isEmpty && version == "1.0") else {
            throw HTTPError(400, "The request has \(hosts.count) Host fields instead of one.")
        }
        guard hosts.allSatisfy(RequestTarget.isAuthority) else {
            throw HTTPError(400, "The Host field is not a host with an optional port.")
        }
    }
}

/// Finds the end of a request head in bytes that arrive in pieces of any size.
///
/// Lines must end in CRLF. Parsers disagree about a lone CR or LF, which makes request smuggling possible (RFC 9112,
/// sections 2.2 and 11.2).
struct RequestHeadScanner {
    private let limits: HTTPLimits
    private var lineStart = 0
    private var headerStart: Int?
    private var lines = 0
    private var scanned = 0

    init(limits: HTTPLimits) { self.limits = limits }

    /// The length of the head with its empty line; `nil` if it is incomplete. Scans the bytes that are new.
    mutating func headLength(in bytes: [UInt8]) throws(HTTPError) -> Int? {
        while scanned < bytes.count {
            let index = scanned
            let byte = bytes[index]
            try checkSize(at: index)
            scanned += 1
            if index > lineStart, bytes[index - 1] == 0x0D, byte != 0x0A {
                throw HTTPError(400, "The request head has a carriage return without a line feed.")
            }
            if byte == 0 { throw HTTPError(400, "The request head has a zero byte.") }
            guard byte == 0x0A else { continue }
            guard index > lineStart, bytes[index - 1] == 0x0D else {
                throw HTTPError(400, "The request head has a line feed without a carriage return.")
            }
            if index - lineStart == 1 { return scanned }
            try endLine(at: index)
        }
        return nil
    }

    private func checkSize(at index: Int) throws(HTTPError) {
        if let headerStart {
            guard index - headerStart < limits.headerBytes else {
                throw HTTPError(431, "The header fields are longer than \(limits.headerBytes) bytes.")
            }
        } else if index >= limits.requestLineBytes {
            throw HTTPError(414, "The request line is longer than \(limits.requestLineBytes) bytes.")
        }
    }

    private mutating func endLine(at index: Int) throws(HTTPError) {
        lineStart = index + 1
        guard headerStart != nil else { return headerStart = lineStart }
        lines += 1
        guard lines <= limits.headerCount else {
            throw HTTPError(431, "There are more than \(limits.headerCount) header fields.")
        }
    }
}
