public import Foundation

extension RequestCheck {
    /// Checks every component of the URL as text.
    ///
    /// Only plain RFC 3986 passes, so that no two parsers on the way can read different hosts or paths out of it.
    ///
    /// - Throws: What is wrong, the first thing that is.
    public static func check(url: URL) throws(InvalidRequest) {
        try check(urlText: url.absoluteString)
    }

    /// Checks the text of a URL. `URL` itself mends what it is given, so text from elsewhere is checked before it is one.
    static func check(urlText text: String) throws(InvalidRequest) {
        for byte in text.utf8 where byte.isForbiddenInURL { throw InvalidRequest(.url, .forbiddenByte(byte)) }
        try check(escapesOf: text)
        let reference = URLReference(text)
        let scheme = reference.scheme?.lowercasedASCII()
        guard scheme == "http" || scheme == "https" else { throw InvalidRequest(.url, .unsupportedScheme) }
        guard let authority = reference.authority, !authority.isEmpty else { throw InvalidRequest(.url, .badHost) }
        try check(authority: authority)
        guard reference.fragment == nil else { throw InvalidRequest(.url, .fragment) }
        // Servers decode before they resolve, and some take a backslash for a slash.
        let path = Array(reference.path.utf8).unescaped()
        for byte in path where byte.isControl { throw InvalidRequest(.url, .forbiddenByte(byte)) }
        guard !path.hasDotSegment else { throw InvalidRequest(.url, .dotSegment) }
    }

    private static func check(escapesOf text: String) throws(InvalidRequest) {
        var rest = text.utf8[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[percent...].dropFirst()
            guard rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(\.isASCIIHexDigit) else {
                throw InvalidRequest(.url, .badEscape)
            }
        }
    }

    private static func check(authority: Substring) throws(InvalidRequest) {
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw InvalidRequest(.url, .userInfo) }
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw InvalidRequest(.url, .badHost) }
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[end...].dropFirst()
            let isAddress = host.utf8.contains(UInt8(ascii: ":"))
            guard isAddress,
                host.utf8.allSatisfy({ $0.isASCIIHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { throw InvalidRequest(.url, .badHost) }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority[host.endIndex...]
            guard !host.isEmpty,
                host.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-._~".utf8.contains($0) })
            else { throw InvalidRequest(.url, .badHost) }
        }
        guard !rest.isEmpty else { return }
        guard rest.first == ":" else { throw InvalidRequest(.url, .badHost) }
        let port = rest.dropFirst()
        guard !port.isEmpty, port.utf8.allSatisfy(\.isASCIIDigit), let number = Int(port), (1...65535).contains(number)
        else { throw InvalidRequest(.url, .badPort) }
    }
}

extension UInt8 {
    /// Whether no part of a URL may have the byte as it is (RFC 3986, section 2).
    fileprivate var isForbiddenInURL: Bool {
        switch self {
        case ...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }
}
