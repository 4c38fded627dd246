import Basics
package import Foundation

extension URL {
    /// The URL that a reference of a server's means, seen from this one (RFC 3986, section 5): without its fragment, and checked
    /// like any other.
    package func resolving(_ text: String) throws(InvalidRequest) -> URL {
        for byte in text.utf8 where byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") {
            throw InvalidRequest(.url, .forbiddenByte(byte))
        }
        var reference = URLReference(text.escapingWhatNoURLHolds())
            .resolved(against: URLReference(absoluteURL.absoluteString))
        reference.fragment = nil
        try RequestCheck.check(urlText: reference.text)
        guard let url = URL(string: reference.text) else { throw InvalidRequest(.url, .badHost) }
        return url
    }
}

extension String {
    /// The text with the bytes escaped that servers leave raw and browsers mend: spaces, `"<>^{|}` and the backtick, and
    /// everything beyond ASCII.
    fileprivate func escapingWhatNoURLHolds() -> String {
        guard utf8.contains(where: \.isEscaped) else { return self }
        var escaped = ""
        for byte in utf8 {
            if byte.isEscaped {
                escaped += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            } else {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return escaped
    }
}

extension UInt8 {
    fileprivate var isEscaped: Bool { self <= 0x20 || self > 0x7E || "\"<>^`{|}".utf8.contains(self) }
}
