import Basics

/// A path as the user wrote it, with escapes or without.
struct PathText {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The path as it is sent: escapes stay, and what is not allowed in a path is escaped.
    ///
    /// - Throws: ``InvalidURL`` for what would not mean the path it shows.
    func escaped() throws(InvalidURL) -> String {
        try check(as: .path)
        return text.withBytes { bytes in
            bytes.escaped { bytes[$0].isPathCharacter || bytes.escape(at: $0) != nil }
        } ?? text
    }

    /// Refuses what many servers read differently from what it shows.
    func check(as part: InvalidURL.Part) throws(InvalidURL) {
        if let reason = text.withBytes(Self.flaw) { throw InvalidURL(part, reason) }
    }

    private static func flaw(of bytes: UnsafeBufferPointer<UInt8>) -> InvalidURL.Reason? {
        if bytes.contains(where: \.isControl) { return .controlCharacter }
        if bytes.contains(UInt8(ascii: "?")) { return .query }
        if bytes.contains(UInt8(ascii: "#")) { return .fragment }
        if bytes.contains(UInt8(ascii: "\\")) { return .backslash }
        return bytes.pathDefect(resolvingEscapes: true).map(InvalidURL.Reason.init)
    }
}

extension InvalidURL.Reason {
    init(_ flaw: PathDefect) {
        self = flaw == .dotSegment ? .dotSegment : .controlCharacter
    }
}
