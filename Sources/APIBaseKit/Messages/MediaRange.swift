import Basics

/// The media types that are accepted: one, or all that a pattern matches (RFC 9110, section 12.5.1).
///
/// `application/json`, `text/*`, `*/*`, and with a suffix (RFC 6839) `application/*+json` or `+json` for any type.
struct MediaRange: Sendable {
    /// The pattern as it was given.
    let text: String
    private let type: Substring
    private let subtype: Substring

    init(_ text: String) {
        self.text = text
        let media = MediaType(text.hasPrefix("+") ? "*/*\(text)" : text)
        type = media.type
        subtype = media.subtype
    }

    /// Whether it takes this type. `*/*` takes everything, also what is empty or no media type: whoever names it takes a reply
    /// as it is (RFC 9110, section 8.3, has replies without a type).
    func contains(_ media: MediaType) -> Bool {
        if type == "*", subtype == "*" { return true }
        let (type, subtype) = (media.type, media.subtype)
        return !subtype.isEmpty && Self.matches(self.type, type)
            && (Self.matches(self.subtype, subtype) || matchesSuffix(of: subtype))
    }

    private static func matches(_ pattern: Substring, _ text: Substring) -> Bool {
        pattern == "*" ? !text.isEmpty : pattern.equalsIgnoringCase(text)
    }

    private func matchesSuffix(of subtype: Substring) -> Bool {
        guard self.subtype.hasPrefix("*+"), let plus = subtype.lastIndex(of: "+") else { return false }
        return self.subtype.dropFirst().equalsIgnoringCase(subtype[plus...])
    }
}
