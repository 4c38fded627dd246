import Basics
import Foundation

/// Finds secrets in `multipart/form-data` (RFC 7578) and other multipart types: parts with a secret name, and secrets
/// inside the other parts.
struct MultipartFields {
    /// The length of the longest boundary that is accepted, in bytes. RFC 2046, section 5.1.1, allows 70.
    private static let longestBoundary = 256

    private(set) var edits: Edits
    private let isSecret: (ArraySlice<UInt8>) -> Bool
    private let redact: (_ part: [UInt8], _ type: String) -> RedactedBytes?

    /// - Parameters:
    ///   - body: The body with all its parts.
    ///   - boundary: The boundary of the parts; nil to take it from the first line of the body.
    ///   - isSecret: Returns true for the name of a secret field.
    ///   - redact: Returns a part without its secrets; nil if it contains none.
    init(
        _ body: [UInt8],
        boundary: [UInt8]?,
        isSecret: @escaping (ArraySlice<UInt8>) -> Bool,
        redact: @escaping (_ part: [UInt8], _ type: String) -> RedactedBytes?
    ) {
        edits = Edits(body)
        (self.isSecret, self.redact) = (isSecret, redact)
        let firstLine = body.starts(with: "--".utf8) ? body.prefix { $0 != 0x0D && $0 != 0x0A } : []
        let delimiter = boundary.map { Array("--".utf8) + $0 } ?? Array(firstLine)
        guard (3...Self.longestBoundary).contains(delimiter.count) else { return }
        var part: Int?
        var line = 0
        while line < body.count {
            if body[line...].starts(with: delimiter) {
                if let part { redactPart(body[part..<line]) }
                part = line + delimiter.count
            }
            line = body[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.count
        }
        if let part { redactPart(body[part...]) }
    }

    private mutating func redactPart(_ part: ArraySlice<UInt8>) {
        guard let start = Self.endOfHead(of: part) else { return }
        let head = PartHead(part[..<start])
        var value = part[start...]
        if value.last == 0x0A { value.removeLast() }
        if value.last == 0x0D { value.removeLast() }
        if head.names.contains(where: isSecret) { return edits.redact(value.indices) }
        guard !value.isEmpty, let (bytes, found) = redact(Array(value), head.type) else { return }
        edits.replace(value.indices, with: bytes, found: found)
    }

    /// The index after the first empty line.
    private static func endOfHead(of part: ArraySlice<UInt8>) -> Int? {
        var line = part.startIndex
        while let end = part[line...].firstIndex(of: 0x0A) {
            let text = part[line..<end]
            // The rest of the delimiter's line is not part of the head.
            if line > part.startIndex, text.isEmpty || text.elementsEqual([0x0D]) { return end + 1 }
            line = end + 1
        }
        return nil
    }
}

/// The head of a part.
private struct PartHead {
    /// The values of all parameters `name`, and of `name*` (RFC 8187): `name*=UTF-8''pass%77ord`.
    private(set) var names: [ArraySlice<UInt8>] = []
    /// The media type; empty if the head has none.
    private(set) var type = ""

    init(_ head: ArraySlice<UInt8>) {
        for line in head.split(separator: 0x0A) {
            let name: StaticString = "content-type"
            let isType = line.withUnsafeBufferPointer { $0.matches(name, at: 0) }
            let rest = line.dropFirst(name.utf8CodeUnitCount).drop(while: \.isBlank)
            if isType, rest.first == UInt8(ascii: ":"), type.isEmpty {
                type = String(decoding: rest.dropFirst(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }
        var index = head.startIndex
        while index < head.endIndex {
            let isSeparator = head[index] == UInt8(ascii: ";") || head[index].isWhiteSpace
            index = isSeparator ? addName(in: head, at: index + 1) : index + 1
        }
    }

    /// Adds the value of the parameter at `start` if it is a name. Returns the index after what was read.
    private mutating func addName(in head: ArraySlice<UInt8>, at start: Int) -> Int {
        guard head[start...].withUnsafeBufferPointer({ $0.matches("name", at: 0) }) else { return start }
        var rest = head[(start + 4)...]
        let isExtended = rest.first == UInt8(ascii: "*")
        rest = rest.dropFirst(isExtended ? 1 : 0).drop(while: \.isWhiteSpace)
        guard rest.first == UInt8(ascii: "=") else { return start }
        rest = rest.dropFirst().drop(while: \.isWhiteSpace)
        let isQuoted = rest.first == UInt8(ascii: "\"")
        let closing = isQuoted ? rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")) : nil
        let end = closing ?? rest.firstIndex { $0 == UInt8(ascii: ";") || $0.isWhiteSpace } ?? rest.endIndex
        var name = head[rest.startIndex..<end].drop(while: \.isQuote)
        while let last = name.last, last.isQuote { name.removeLast() }
        if isExtended, let quote = name.lastIndex(of: UInt8(ascii: "'")) { name = name[(quote + 1)...] }
        names.append(Escape.percent.decoded(Array(name), 0..<name.count))
        return end
    }
}
