import Basics

/// A media type without its parameters (RFC 9110, section 8.3.1), for comparing.
package struct MediaType: Equatable {
    /// `type/subtype`, in its original case.
    private var essence: Substring

    /// Takes the text before the first `;`, without spaces and tabs around it. The same type in several lines of the
    /// header, which are joined by commas, is that type.
    package init(_ field: String) {
        essence = Self.trimmed(field.utf8.prefix { $0 != UInt8(ascii: ";") })
        guard essence.utf8.contains(UInt8(ascii: ",")) else { return }
        let all = essence.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Self.trimmed)
        if let first = all.first, all.allSatisfy({ $0.equalsIgnoringCase(first) }) { essence = first }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring {
        var text = text.drop(while: \.isBlank)
        while text.last?.isBlank == true { text.removeLast() }
        return Substring(text)
    }

    /// The part before the slash.
    var type: Substring { Substring(essence.utf8.prefix { $0 != UInt8(ascii: "/") }) }

    /// The part after the slash.
    var subtype: Substring { Substring(essence.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst()) }

    package static func == (left: MediaType, right: MediaType) -> Bool {
        left.essence.equalsIgnoringCase(right.essence)
    }
}

/// A media range (RFC 9110, section 12.5.1): `application/json`, `text/*` or `*/*`; with a suffix (RFC 6839) also
/// `application/*+json`, and `+json` for any type.
package struct MediaRange: Sendable {
    /// The range as it was given.
    let text: String
    private let type: Substring
    private let subtype: Substring

    package init(_ text: String) {
        self.text = text
        let media = MediaType(text.hasPrefix("+") ? "*/*\(text)" : text)
        type = media.type
        subtype = media.subtype
    }

    /// True if the range contains a type. `*/*` contains everything, also an empty or malformed type, since responses
    /// may have none (RFC 9110, section 8.3).
    package func contains(_ media: MediaType) -> Bool {
        if type == "*", subtype == "*" { return true }
        let (type, subtype) = (media.type, media.subtype)
        return !subtype.isEmpty && Self.matches(self.type, type)
            && (Self.matches(self.subtype, subtype) || matchesSuffix(of: subtype))
    }

    private static func matches(_ pattern: Substring, _ text: Substring) -> Bool {
        pattern == "*" ? !text.isEmpty : pattern.equalsIgnoringCase(text)
    }

    private func matchesSuffix(of subtype: Substring) -> Bool {
        guard self.subtype.hasPrefix("*+"), let plus = subtype.utf8.lastIndex(of: UInt8(ascii: "+")) else {
            return false
        }
        return self.subtype.dropFirst().equalsIgnoringCase(subtype[plus...])
    }
}
