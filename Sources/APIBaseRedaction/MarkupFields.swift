import Basics

/// Finds secrets in XML and HTML: the text of elements with a secret name, and the values of fields (`<input name=
/// value=>`) and of pairs (`<key>…</key><string>…</string>`) with a secret name.
struct MarkupFields {
    private(set) var edits: Edits
    /// The number of reads of a tag. The cost of each is limited by the length of the longest tag.
    private(set) var attempts = 0
    private var text: [UInt8] { edits.text }

    init(_ text: [UInt8], isSecret: (ArraySlice<UInt8>) -> Bool) {
        edits = Edits(text)
        var isPairValue = false
        var index = text.index(of: UInt8(ascii: "<"), from: 0)
        while index < text.count {
            attempts += 1
            let (tag, end) = Tag.read(in: text, at: index)
            var next = end
            if let tag {
                let content = tag.isEmpty ? end..<end : content(from: end)
                if tag.namesSecret(isSecret) {
                    for value in tag.values { edits.redact(value) }
                }
                if isPairValue || isSecret(tag.name) { edits.redact(content) }
                isPairValue = tag.isKey && isSecret(text[content])
                next = content.upperBound
            }
            index = text.index(of: UInt8(ascii: "<"), from: next)
        }
    }

    /// The text up to the next tag, without white space at both ends.
    private func content(from start: Int) -> Range<Int> {
        let opening: StaticString = "<![CDATA["
        if text.begins(opening, at: start) {
            let start = start + opening.utf8CodeUnitCount
            return start..<(text[start...].indices.first { text.begins("]]>", at: $0) } ?? text.count)
        }
        let content = text[start..<text.index(of: UInt8(ascii: "<"), from: start)]
        guard let first = content.firstIndex(where: { !$0.isWhiteSpace }),
            let last = content.lastIndex(where: { !$0.isWhiteSpace })
        else { return content.endIndex..<content.endIndex }
        return first..<(last + 1)
    }
}

/// A start tag.
private struct Tag {
    /// The length of the longest tag that is read, in bytes.
    private static let longest = 4096

    /// The name, without its namespace.
    let name: ArraySlice<UInt8>
    private var attributes: [(name: String, value: ArraySlice<UInt8>)] = []
    /// True if the tag ends its element as well.
    private(set) var isEmpty = false

    /// Reads the tag at an index.
    ///
    /// - Returns: The tag, and the index after what was read: no byte is read twice. The tag is nil if it does not end
    ///   or is not a start tag.
    static func read(in text: [UInt8], at start: Int) -> (tag: Tag?, end: Int) {
        let limit = min(text.count, start + 1 + longest)
        var index = start + 1
        while index < limit, text[index].isPartOfName || text[index] == UInt8(ascii: ":") { index += 1 }
        let whole = text[(start + 1)..<index]
        guard !whole.isEmpty else { return (nil, index) }
        var tag = Tag(name: whole.lastIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole)
        var lastValueEnd = index
        while index < limit, text[index] != UInt8(ascii: ">"), text[index] != UInt8(ascii: "<") {
            guard text[index] == UInt8(ascii: "=") else {
                index += 1
                continue
            }
            let value = value(in: text[..<limit], after: index)
            tag.add(lastName(in: text[lastValueEnd..<index]), text[value])
            index = max(value.upperBound, index + 1)
            lastValueEnd = index
        }
        guard index < limit, text[index] == UInt8(ascii: ">") else { return (nil, index) }
        tag.isEmpty = text[index - 1] == UInt8(ascii: "/")
        return (tag, index + 1)
    }

    private init(name: ArraySlice<UInt8>) { self.name = name }

    private static func lastName(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let last = text.lastIndex(where: \.isPartOfName) else { return [] }
        let before = text[..<last].lastIndex { !$0.isPartOfName }
        return text[(before.map { $0 + 1 } ?? text.startIndex)...last]
    }

    private mutating func add(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        // The attributes that are looked at have names of 2 to 7 bytes.
        guard (2...7).contains(name.count) else { return }
        attributes.append((String(decoding: name, as: UTF8.self).lowercased(), value))
    }

    private static func value(in text: ArraySlice<UInt8>, after equals: Int) -> Range<Int> {
        guard let start = text[(equals + 1)...].firstIndex(where: { !$0.isWhiteSpace }) else {
            return text.endIndex..<text.endIndex
        }
        if text[start].isQuote {
            let rest = text[(start + 1)...]
            return rest.startIndex..<(rest.firstIndex(of: text[start]) ?? text.endIndex)
        }
        return start..<(text[start...].firstIndex { $0.isWhiteSpace || $0 == UInt8(ascii: ">") } ?? text.endIndex)
    }

    /// True if an attribute names a secret, so that ``values`` are secret.
    func namesSecret(_ isSecret: (ArraySlice<UInt8>) -> Bool) -> Bool {
        attributes.contains { ["name", "id", "key", "type"].contains($0.name) && isSecret($0.value) }
    }

    var values: [Range<Int>] {
        attributes.filter { ["value", "content"].contains($0.name) }.map { $0.value.indices }
    }

    /// True if the content of the element is a name, and the next element has its value.
    var isKey: Bool { ["key", "name"].contains(String(decoding: name, as: UTF8.self).lowercased()) }
}
