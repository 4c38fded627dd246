import Basics

/// A media type without its parameters (RFC 9110, section 8.3.1), for comparing.
package struct MediaType: Equatable {
    /// `type/subtype`, in its original case; empty if the field names two different types.
    private let essence: Substring

    /// Takes the text before the first `;` or blank of each member of the list that the lines of a header make, joined
    /// by commas. Members without a slash are no types. The same type several times is that type.
    package init(_ field: String) {
        guard field.utf8.contains(UInt8(ascii: ",")) else {
            essence = Self.essence(of: field)
            return
        }
        let types = field.parts(at: ",").map { Self.essence(of: $0) }.filter { $0.utf8.contains(UInt8(ascii: "/")) }
        let first = types.first ?? ""
        essence = types.allSatisfy { $0.equalsIgnoringCase(first) } ? first : ""
    }

    private static func essence(of member: String) -> Substring {
        let text = member.utf8.drop(while: \.isBlank)
        return Substring(text.prefix { $0 != UInt8(ascii: ";") && !$0.isBlank })
    }

    /// The part before the slash.
    package var type: Substring { Substring(essence.utf8.prefix { $0 != UInt8(ascii: "/") }) }

    /// The part after the slash.
    package var subtype: Substring { Substring(essence.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst()) }

    /// Whether it is `application/json` or its other name, `text/json` (MIME Sniffing standard, section 4.6).
    package var isJSON: Bool {
        essence.equalsIgnoringCase("application/json") || essence.equalsIgnoringCase("text/json")
    }

    package static func == (left: MediaType, right: MediaType) -> Bool {
        left.essence.equalsIgnoringCase(right.essence) || left.isJSON && right.isJSON
    }
}

/// A media range (RFC 9110, section 12.5.1): `application/json`, `text/*` or `*/*`; with a suffix (RFC 6839) also
/// `application/*+json`, and `+json` for any type.
package struct MediaRange: Sendable {
    /// The range as it was given.
    package let text: String
    private let type: Substring
    private let subtype: Substring
    private let hasJSON: Bool

    package init(_ text: String) {
        self.text = text
        let media = MediaType(text.hasPrefix("+") ? "*/*\(text)" : text)
        hasJSON = media.isJSON
        type = media.type
        subtype = media.subtype
    }

    /// True if the range contains a type. `*/*` contains everything, also an empty or malformed type, since responses
    /// may have none (RFC 9110, section 8.3). `application/json` contains `text/json`.
    package func contains(_ media: MediaType) -> Bool {
        if type == "*", subtype == "*" { return true }
        if media.isJSON, hasJSON { return true }
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
