import Basics

/// Finds secrets in the URLs of a text, and in forms: user names and passwords, and the values of secret names in
/// queries and fragments.
struct QueryFields {
    private static let marks = ByteSet("?&#;6/")
    private static let endsOfNames = ByteSet("=&?#<>\"\\ \t\r\n")
    private static let endsOfAuthorities = ByteSet("/?#\"<>\\ \t\r\n")
    private static let openings = ByteSet("\"'<> \t\r\n")
    private static let escapesInValues: [StaticString] = ["/", "u003d", "u003D", "u002b", "u002B", "u002f", "u002F"]

    private let isForm: Bool
    private let isSecret: (ArraySlice<UInt8>) -> Bool
    private(set) var edits: Edits
    private var text: [UInt8] { edits.text }
    /// The last byte before `end` after which a URL can begin.
    private var opening: (byte: UInt8, end: Int) = (0, 0)

    /// - Parameters:
    ///   - text: A text with URLs, or a form.
    ///   - isForm: True if the whole text is pairs separated by `&`.
    ///   - isSecret: Returns true for the name of a secret.
    init(_ text: [UInt8], isForm: Bool, isSecret: @escaping (ArraySlice<UInt8>) -> Bool) {
        (self.isForm, self.isSecret) = (isForm, isSecret)
        edits = Edits(text)
        var index = Self.marks.firstIndex(in: text, from: redactPair(at: 0) ?? 0)
        while index < text.count {
            var next = index + 1
            switch text[index] {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"),
                UInt8(ascii: ";") where text.ends("&amp", at: index),
                UInt8(ascii: "6") where text.ends("\\u002", at: index):
                next = redactPair(at: next) ?? next
            case UInt8(ascii: "/") where text.ends(":/", at: index) || text.ends(":\\/\\", at: index):
                next = redactUserInfo(at: next)
            default: break
            }
            index = Self.marks.firstIndex(in: text, from: next)
        }
    }

    /// Redacts the value if a pair with a secret name begins at `start`. Returns the end of the value, or nil.
    private mutating func redactPair(at start: Int) -> Int? {
        var equals = start
        let limit = min(text.count, start + FieldNames.longest)
        while equals < limit, !Self.endsOfNames.contains(text[equals]) { equals += 1 }
        guard equals < limit, text[equals] == UInt8(ascii: "="), isSecret(decoded(start..<equals)) else { return nil }
        let end = isForm ? text.index(of: UInt8(ascii: "&"), from: equals) : endOfValue(from: equals + 1)
        edits.redact((equals + 1)..<end, value: decoded((equals + 1)..<end))
        return end
    }

    private mutating func endOfValue(from start: Int) -> Int {
        // In `href='…'`, an apostrophe ends the URL. Elsewhere it may be part of it.
        while opening.end < start {
            if Self.openings.contains(text[opening.end]) { opening.byte = text[opening.end] }
            opening.end += 1
        }
        let isQuoted = opening.byte == UInt8(ascii: "'")
        var index = start
        while index < text.count {
            let byte = text[index]
            if "&#\"<>".utf8.contains(byte) || byte.isWhiteSpace || isQuoted && byte == UInt8(ascii: "'") { break }
            // In JSON, the escapes of `/`, `=` and `+` are part of the value. Others, as `\u0026` and `\"`, end it.
            if byte == UInt8(ascii: "\\") {
                guard Self.escapesInValues.contains(where: { text.begins($0, at: index + 1) }) else { break }
                index += 1
            }
            index += 1
        }
        return index
    }

    /// Redacts the user name and the password of the authority that begins at `start`. Returns the index after them.
    private mutating func redactUserInfo(at start: Int) -> Int {
        let end = Self.endsOfAuthorities.firstIndex(in: text, from: start)
        guard let at = text[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return end }
        // If there is a password, the user name alone is not a secret.
        let colon = text[start..<at].firstIndex(of: UInt8(ascii: ":"))
        let password = colon.map { ($0 + 1)..<at } ?? start..<at
        edits.redact(start..<at, value: decoded(password.isEmpty ? start..<(colon ?? at) : password))
        return at
    }

    private func decoded(_ range: Range<Int>) -> ArraySlice<UInt8> { Escape.percent.decoded(text, range) }
}
