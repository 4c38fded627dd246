import Basics

/// Finds secrets in XML and HTML: the text of elements with a secret name, and the values of fields (`<input name=
/// value=>`) and of pairs (`<key>…</key><string>…</string>`) that are called so.
struct MarkupFields {
    private static let marks = ByteSet("<".utf8)

    private(set) var edits: Edits
    /// The number of places at which a tag was looked for: each may cost as much as the longest one.
    private(set) var attempts = 0
    private let isSecret: (ArraySlice<UInt8>) -> Bool
    private var text: [UInt8] { edits.text }

    init(_ text: [UInt8], isSecret: @escaping (ArraySlice<UInt8>) -> Bool) {
        edits = Edits(text)
        self.isSecret = isSecret
        var isNext = false
        var index = Self.marks.firstIndex(in: text, from: 0)
        while index < text.count {
            attempts += 1
            let (tag, end) = Tag.read(in: text, at: index)
            guard let tag else {
                index = Self.marks.firstIndex(in: text, from: end)
                continue
            }
            let content = tag.isEmpty ? end..<end : content(from: end)
            if tag.isNamedField(isSecret) {
                for value in tag.values { edits.redact(value, value: Array(text[value])) }
            }
            if isNext || isSecret(tag.name) { edits.redact(content, value: Array(text[content])) }
            isNext = tag.isKey && isSecret(text[content])
            index = Self.marks.firstIndex(in: text, from: content.upperBound)
        }
    }

    /// The text up to the next tag, without blanks around it.
    private func content(from start: Int) -> Range<Int> {
        let opening: StaticString = "<![CDATA["
        if text.begins(opening, at: start) {
            let start = start + opening.utf8CodeUnitCount
            return start..<endOfCharacters(from: start)
        }
        let content = text[start..<Self.marks.firstIndex(in: text, from: start)]
        guard let first = content.firstIndex(where: { !$0.isWhiteSpace }),
            let last = content.lastIndex(where: { !$0.isWhiteSpace })
        else { return content.endIndex..<content.endIndex }
        return first..<(last + 1)
    }

    /// The end of a section of CDATA.
    private func endOfCharacters(from start: Int) -> Int {
        text[start...].indices.first { text.begins("]]>", at: $0) } ?? text.count
    }
}

/// The tag that begins an element.
private struct Tag {
    /// Bytes of the longest tag that is read.
    private static let longest = 4096

    /// The name, without its namespace.
    let name: ArraySlice<UInt8>
    private var attributes: [(name: String, value: ArraySlice<UInt8>)] = []
    /// Whether it is the end of its element as well.
    private(set) var isEmpty = false

    /// Reads the tag that begins at an index.
    ///
    /// - Returns: The tag, or nil if it is not a tag or does not end, and the index of the rest: no byte is read a
    ///   second time.
    static func read(in text: [UInt8], at start: Int) -> (tag: Tag?, end: Int) {
        let limit = min(text.count, start + 1 + longest)
        var index = start + 1
        while index < limit, text[index].isPartOfName || text[index] == UInt8(ascii: ":") { index += 1 }
        let whole = text[(start + 1)..<index]
        guard !whole.isEmpty else { return (nil, index) }
        var tag = Tag(name: whole.lastIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole)
        var nameless = index
        while index < limit, text[index] != UInt8(ascii: ">"), text[index] != UInt8(ascii: "<") {
            guard text[index] == UInt8(ascii: "=") else {
                index += 1
                continue
            }
            let value = value(in: text[..<limit], after: index)
            tag.add(name(in: text[nameless..<index]), text[value])
            index = max(value.upperBound, index + 1)
            nameless = index
        }
        guard index < limit, text[index] == UInt8(ascii: ">") else { return (nil, index) }
        tag.isEmpty = text[index - 1] == UInt8(ascii: "/")
        return (tag, index + 1)
    }

    private init(name: ArraySlice<UInt8>) { self.name = name }

    /// The last name in the text between two values.
    private static func name(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let last = text.lastIndex(where: \.isPartOfName) else { return [] }
        let before = text[..<last].lastIndex { !$0.isPartOfName }
        return text[(before.map { $0 + 1 } ?? text.startIndex)...last]
    }

    private mutating func add(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        // No other attribute says anything.
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

    /// Whether an attribute says that another one is secret.
    func isNamedField(_ isSecret: (ArraySlice<UInt8>) -> Bool) -> Bool {
        attributes.contains { ["name", "id", "key", "type"].contains($0.name) && isSecret($0.value) }
    }

    var values: [Range<Int>] {
        attributes.filter { ["value", "content"].contains($0.name) }.map { $0.value.indices }
    }

    var isKey: Bool {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        return name == "key" || name == "name"
    }
}
