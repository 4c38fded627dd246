/// A media type, without its parameters.
package struct MediaType: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        let bytes = text.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 }
        self.text = String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// The parameters of a type, such as `v=1`.
    static func parameters(of text: String) -> Set<String> {
        let parts = text.split(separator: ";").dropFirst()
        return Set(parts.map { $0.filter { !$0.isWhitespace && $0 != "\"" }.lowercased() })
    }

    package var isJSON: Bool { ["/json", "+json", "*/*", "application/*"].contains(where: text.hasSuffix) }
    /// Whether it stands for many types.
    package var isRange: Bool { text.hasSuffix("/*") }
    package var isText: Bool { text.hasPrefix("text/") && !isJSON }
    package var isEvents: Bool { text == "text/event-stream" }
    /// Whether it can stand in a header.
    package var isValid: Bool {
        text.wholeMatch(of: /[A-Za-z0-9!#$&^_.+*-]+\/[A-Za-z0-9!#$&^_.+*-]+/) != nil
    }

    /// Whether the body is a sequence of JSON values.
    var isInPieces: Bool { text.hasSuffix("stream+json") || text.hasSuffix("/json-seq") }

    /// Whether a range of a document, such as `text/*` or `application/*+json`, includes this type.
    func isIncluded(in range: MediaType) -> Bool {
        let halves = range.text.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { return range.text == text }
        return range.text == "*/*" || text.hasPrefix(halves[0]) && text.hasSuffix(halves[1])
    }
}
