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
        let bytes = Array(text.utf8)
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte.isPathCharacter || bytes.escape(at: index) != nil {
                escaped.append(byte)
            } else {
                escaped.append(escaping: byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// Refuses what many servers read differently from what it shows.
    func check(as part: InvalidURL.Part) throws(InvalidURL) {
        let bytes = Array(text.utf8)
        guard !bytes.contains(where: \.isControl) else { throw InvalidURL(part, .controlCharacter) }
        guard !bytes.contains(UInt8(ascii: "?")) else { throw InvalidURL(part, .query) }
        guard !bytes.contains(UInt8(ascii: "#")) else { throw InvalidURL(part, .fragment) }
        guard !bytes.contains(UInt8(ascii: "\\")) else { throw InvalidURL(part, .backslash) }
        let decoded = bytes.unescaped()
        guard !decoded.contains(where: \.isControl) else { throw InvalidURL(part, .controlCharacter) }
        guard !decoded.hasDotSegment else { throw InvalidURL(part, .dotSegment) }
    }
}
