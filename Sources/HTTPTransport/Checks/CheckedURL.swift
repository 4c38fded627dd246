import Basics
package import Foundation

/// A URL that may be requested, with what the check has parsed.
package struct CheckedURL: Sendable {
    /// The whole URL as text, resolved against its base if it has one.
    package let text: String

    private let parsed: URLParser

    /// - Throws: The first problem.
    package init(_ url: URL) throws(TransportError.InvalidRequest) {
        try self.init(text: url.absoluteString)
    }

    /// Checks text before it becomes a `URL`, which would repair it.
    ///
    /// - Throws: The first problem.
    package init(text: String) throws(TransportError.InvalidRequest) {
        self.text = text
        parsed = try text.withBytes { bytes in
            Result { () throws(TransportError.InvalidRequest) in try URLParser(bytes) }
        }.get()
    }

    /// Scheme, host and effective port; the same as `URL.origin`.
    package var origin: Origin {
        let host = text.withBytes { String(decoding: $0[parsed.host], as: UTF8.self) }
        return Origin(scheme: parsed.isSecure ? "https" : "http", host: host.lowercasedASCII(), port: parsed.port)
    }

    /// The byte offset of the query in the text, or of the place for one.
    package var queryStart: Int { parsed.path.upperBound }
}

/// The byte ranges of the parts of a URL, parsed and checked without allocation.
///
/// Only plain RFC 3986 passes, so that no two parsers on the way can read different hosts or paths.
private struct URLParser {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Whether the scheme is `https`; otherwise it is `http`.
    private(set) var isSecure = false
    /// The host, without the brackets of an address.
    private(set) var host = 0..<0
    /// The port; the default of the scheme if the URL names none.
    private(set) var port = 80
    /// Everything between the authority and the query.
    private(set) var path = 0..<0

    /// - Throws: The first problem.
    init(_ bytes: Bytes) throws(TransportError.InvalidRequest) {
        let (mark, hash) = try Self.marks(in: bytes)
        let end = mark ?? hash ?? bytes.count
        let start = try readScheme(bytes, end)
        let authority = try readAuthority(bytes, start, end)
        guard hash == nil else { throw TransportError.InvalidRequest(.url, .fragment) }
        path = authority..<end
        switch UnsafeBufferPointer(rebasing: bytes[path]).pathDefect(resolvingEscapes: true) {
        case .control(let byte): throw TransportError.InvalidRequest(.url, .forbiddenByte(byte))
        case .dotSegment: throw TransportError.InvalidRequest(.url, .dotSegment)
        case nil: break
        }
    }

    /// Refuses bytes that are never allowed, and finds the `?` and the `#`.
    private static func marks(in bytes: Bytes) throws(TransportError.InvalidRequest) -> (Int?, Int?) {
        var mark: Int?
        var hash: Int?
        var hasBadEscape = false
        for index in bytes.indices {
            let byte = bytes[index]
            guard !byte.isForbiddenInURL else { throw TransportError.InvalidRequest(.url, .forbiddenByte(byte)) }
            switch byte {
            case UInt8(ascii: "%"): if bytes.escape(at: index) == nil { hasBadEscape = true }
            case UInt8(ascii: "?"): if mark == nil, hash == nil { mark = index }
            case UInt8(ascii: "#"): if hash == nil { hash = index }
            default: break
            }
        }
        guard !hasBadEscape else { throw TransportError.InvalidRequest(.url, .badEscape) }
        return (mark, hash)
    }

    /// Returns the start of the authority.
    private mutating func readScheme(_ bytes: Bytes, _ end: Int) throws(TransportError.InvalidRequest) -> Int {
        let isHTTP = end > 4 && bytes.matches("http", at: 0)
        isSecure = isHTTP && bytes[4] | 0x20 == UInt8(ascii: "s")
        let colon = isSecure ? 5 : 4
        guard isHTTP, colon < end, bytes[colon] == UInt8(ascii: ":") else {
            throw TransportError.InvalidRequest(.url, .unsupportedScheme)
        }
        let start = colon + 3
        guard start <= end, bytes.matches("//", at: colon + 1) else {
            throw TransportError.InvalidRequest(.url, .badHost)
        }
        return start
    }

    /// Returns the end of the authority.
    private mutating func readAuthority(_ bytes: Bytes, _ start: Int, _ limit: Int) throws(TransportError
        .InvalidRequest) -> Int
    {
        let end = bytes[start..<limit].firstIndex(of: UInt8(ascii: "/")) ?? limit
        guard start < end else { throw TransportError.InvalidRequest(.url, .badHost) }
        guard !bytes[start..<end].contains(UInt8(ascii: "@")) else {
            throw TransportError.InvalidRequest(.url, .userInfo)
        }
        port = isSecure ? 443 : 80
        let isAddress = bytes[start] == UInt8(ascii: "[")
        host = isAddress ? try Self.address(bytes, start, end) : try Self.name(bytes, start, end)
        let rest = isAddress ? host.upperBound + 1 : host.upperBound
        if rest < end { port = try port(bytes, rest, end) }
        return end
    }

    /// An address of IPv6, and behind `%25` the zone that it is in (RFC 6874), such as `eth0`.
    private static func address(_ bytes: Bytes, _ start: Int, _ end: Int) throws(TransportError.InvalidRequest)
        -> Range<Int>
    {
        guard let bracket = bytes[start..<end].firstIndex(of: UInt8(ascii: "]")) else {
            throw TransportError.InvalidRequest(.url, .badHost)
        }
        let host = start + 1..<bracket
        let address = bytes[host].prefix { $0 != UInt8(ascii: "%") }
        let zone = bytes[address.endIndex..<bracket]
        guard address.contains(UInt8(ascii: ":")), address.allSatisfy(\.isInAddress),
            zone.isEmpty
                || zone.count > 3 && bytes.matches("%25", at: zone.startIndex)
                    && zone.dropFirst(3).allSatisfy(\.isInHostName)
        else { throw TransportError.InvalidRequest(.url, .badHost) }
        return host
    }

    private static func name(_ bytes: Bytes, _ start: Int, _ end: Int) throws(TransportError.InvalidRequest) -> Range<
        Int
    > {
        let host = start..<(bytes[start..<end].firstIndex(of: UInt8(ascii: ":")) ?? end)
        var label = 0
        for byte in bytes[host] {
            let isDot = byte == UInt8(ascii: ".")
            // A label is not empty (RFC 1034, section 3.1), but a dot may end the name.
            guard byte.isInHostName, !isDot || label > 0 else { throw TransportError.InvalidRequest(.url, .badHost) }
            label = isDot ? 0 : label + 1
        }
        guard !host.isEmpty else { throw TransportError.InvalidRequest(.url, .badHost) }
        return host
    }

    /// The port; without digits, that of the scheme (RFC 3986, section 3.2.3).
    private func port(_ bytes: Bytes, _ start: Int, _ end: Int) throws(TransportError.InvalidRequest) -> Int {
        guard bytes[start] == UInt8(ascii: ":") else { throw TransportError.InvalidRequest(.url, .badHost) }
        guard start + 1 < end else { return port }
        var port = 0
        for byte in bytes[(start + 1)..<end] {
            guard byte.isASCIIDigit else { throw TransportError.InvalidRequest(.url, .badPort) }
            port = port * 10 + Int(byte - UInt8(ascii: "0"))
            guard port <= 65_535 else { throw TransportError.InvalidRequest(.url, .badPort) }
        }
        guard port > 0 else { throw TransportError.InvalidRequest(.url, .badPort) }
        return port
    }
}

extension UInt8 {
    fileprivate var isInAddress: Bool { isASCIIHexDigit || self == UInt8(ascii: ":") || self == UInt8(ascii: ".") }

    fileprivate var isInHostName: Bool {
        if isASCIILetter || isASCIIDigit { return true }
        return switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// Whether no part of a URL may contain the byte unescaped (RFC 3986, section 2).
    fileprivate var isForbiddenInURL: Bool {
        switch self {
        case ...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }
}
