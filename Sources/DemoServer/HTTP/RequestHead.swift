import Basics

/// The request line and header fields, checked (RFC 9112, sections 3 and 5).
struct RequestHead: Equatable {
    let method: String
    let target: String
    let parsedTarget: RequestTarget
    /// "1.0" or "1.1"; a later 1.x is taken as 1.1 (RFC 9110, section 2.5).
    let version: String
    let fields: HTTPFields

    /// Reads a head as ``RequestHeadScanner`` delimits it.
    init(_ bytes: [UInt8]) throws(HTTPFault) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { $0.last == 0x0D ? $0.dropLast() : $0 }[...]
        let words = (lines.popFirst() ?? [])
            .split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3 else {
            throw HTTPFault(400, "The request line is not a method, a target and a version with one blank between.")
        }
        guard !words[0].isEmpty, words[0].allSatisfy(\.isTokenByte) else {
            throw HTTPFault(400, "The method is not a token.")
        }
        method = String(decoding: words[0], as: UTF8.self)
        version = try Self.version(words[2])
        guard method != "CONNECT" else { throw HTTPFault(501, "This server is no proxy.") }
        target = String(decoding: words[1], as: UTF8.self)
        parsedTarget = try RequestTarget(target, method: method)
        fields = try HTTPFields(lines: lines.filter { !$0.isEmpty })
        try Self.checkHost(fields, version: version)
    }

    private static func version(_ word: some Collection<UInt8>) throws(HTTPFault) -> String {
        let text = Array(word)
        guard text.count == 8, text.starts(with: "HTTP/".utf8), text[6] == UInt8(ascii: "."),
            let major = text[5].hexValue, let minor = text[7].hexValue, major < 10, minor < 10
        else { throw HTTPFault(400, "The request line does not end in an HTTP version.") }
        guard major == 1 else { throw HTTPFault(505, "Only HTTP/1.0 and HTTP/1.1 are spoken here.") }
        return minor == 0 ? "1.0" : "1.1"
    }

    private static func checkHost(_ fields: HTTPFields, version: String) throws(HTTPFault) {
        let hosts = fields.values(for: "Host")
        guard hosts.count == 1 || (hosts.isEmpty && version == "1.0") else {
            throw HTTPFault(400, "The request has \(hosts.count) Host fields instead of one.")
        }
        guard hosts.allSatisfy(RequestTarget.isAuthority) else {
            throw HTTPFault(400, "The Host field is not a host with an optional port.")
        }
    }
}

extension HTTPFields {
    /// Reads field lines, of a head or of trailers, without their ends.
    init(lines: some Sequence<some Collection<UInt8>>) throws(HTTPFault) {
        self.init()
        for line in lines {
            if line.first == 0x20 || line.first == 0x09 {
                throw HTTPFault(400, "A header field is folded over two lines.")
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw HTTPFault(400, "A header line has no colon.")
            }
            let name = line[..<colon]
            let value = line[line.index(after: colon)...]
            guard !name.isEmpty, name.allSatisfy({ $0.isTokenByte }) else {
                throw HTTPFault(400, "A header name is not a token.")
            }
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw HTTPFault(400, "A header value has a control character.")
            }
            // Not UTF-8: each byte is a character of ISO 8859-1, as in older messages.
            let text =
                String(valid: value)
                ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
            add(String(decoding: name, as: UTF8.self), text.trimmingBlanks())
        }
    }
}
