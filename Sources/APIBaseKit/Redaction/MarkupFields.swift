import Basics

/// Finds secrets in XML and HTML: the text of elements with a secret name, and the values of fields (`<input name= value=>`)
/// and of pairs (`<key>…</key><string>…</string>`) that are called so.
struct MarkupFields {
    /// Bytes of the longest tag that is read.
    private static let longestTag = 4096
    private static let marks = ByteSet("<".utf8)

    private(set) var edits: Edits
    private let isSecret: (String) -> Bool
    private var text: [UInt8] { edits.text }

    init(_ text: [UInt8], isSecret: @escaping (String) -> Bool) {
        edits = Edits(text)
        self.isSecret = isSecret
        var isNext = false
        var index = Self.marks.firstIndex(in: text, from: 0)
        while index < text.count {
            guard let tag = Tag(in: text, at: index, atMost: Self.longestTag) else {
                index = Self.marks.firstIndex(in: text, from: index + 1)
                continue
            }
            let content = tag.isEmpty ? tag.end..<tag.end : content(from: tag.end)
            if tag.isNamedField(isSecret) {
                for value in tag.values { edits.redact(value, value: Array(text[value])) }
            }
            if isNext || isSecret(tag.name) { edits.redact(content, value: Array(text[content])) }
            isNext = tag.isKey && isSecret(String(decoding: text[content], as: UTF8.self))
            index = Self.marks.firstIndex(in: text, from: content.upperBound)
        }
    }

    /// The text up to the next tag, without blanks around it.
    private func content(from start: Int) -> Range<Int> {
        let opening = Array("<![CDATA[".utf8)
        if text[start...].starts(with: opening) {
            let content = text[(start + opening.count)...]
            return content.startIndex..<(content.firstRange(of: Array("]]>".utf8))?.lowerBound ?? text.count)
        }
        let content = text[start..<Self.marks.firstIndex(in: text, from: start)]
        guard let first = content.firstIndex(where: { !$0.isWhiteSpace }),
            let last = content.lastIndex(where: { !$0.isWhiteSpace })
        else { return content.endIndex..<content.endIndex }
        return first..<(last + 1)
    }
}

/// The tag that begins an element.
private struct Tag {
    /// The name, without its namespace.
    let name: String
    private var attributes: [(name: String, value: Range<Int>, text: String)] = []
    /// The index at which the tag ends.
    private(set) var end: Int
    /// Whether it is the end of its element as well.
    let isEmpty: Bool

    init?(in text: [UInt8], at start: Int, atMost length: Int) {
        let body = text[(start + 1)...].prefix(length)
        let nameEnd = body.firstIndex { !$0.isPartOfName && $0 != UInt8(ascii: ":") } ?? body.endIndex
        guard nameEnd > body.startIndex else { return nil }
        name = String(
            decoding: text[(start + 1)..<nameEnd].split(separator: UInt8(ascii: ":")).last ?? [],
            as: UTF8.self
        )
        var index = nameEnd
        while index < body.endIndex, text[index] != UInt8(ascii: ">") {
            guard text[index] == UInt8(ascii: "=") else {
                index += 1
                continue
            }
            let value = Self.value(in: body, after: index)
            let name = text[nameEnd..<index].split { !$0.isPartOfName }.last ?? []
            attributes.append(
                (
                    String(decoding: name, as: UTF8.self).lowercased(), value,
                    String(decoding: text[value], as: UTF8.self)
                )
            )
            index = max(value.upperBound, index + 1)
        }
        guard index < body.endIndex else { return nil }
        end = index + 1
        isEmpty = text[index - 1] == UInt8(ascii: "/")
    }

    private static func value(in body: ArraySlice<UInt8>, after equals: Int) -> Range<Int> {
        guard let start = body[(equals + 1)...].firstIndex(where: { !$0.isWhiteSpace }) else {
            return body.endIndex..<body.endIndex
        }
        if body[start].isQuote {
            let rest = body[(start + 1)...]
            return rest.startIndex..<(rest.firstIndex(of: body[start]) ?? body.endIndex)
        }
        return start..<(body[start...].firstIndex { $0.isWhiteSpace || $0 == UInt8(ascii: ">") } ?? body.endIndex)
    }

    /// Whether an attribute says that another one is secret.
    func isNamedField(_ isSecret: (String) -> Bool) -> Bool {
        attributes.contains { ["name", "id", "key", "type"].contains($0.name) && isSecret($0.text) }
    }

    var values: [Range<Int>] { attributes.filter { ["value", "content"].contains($0.name) }.map(\.value) }

    var isKey: Bool { ["key", "name"].contains(name.lowercased()) }
}
