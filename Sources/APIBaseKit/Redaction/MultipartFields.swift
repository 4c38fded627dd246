import Foundation

/// Finds what is secret in `multipart/form-data` (RFC 7578) and its relatives: parts with the name of a secret field, and what
/// is secret inside of the others.
struct MultipartFields {
    private(set) var edits: Edits

    /// - Parameters:
    ///   - body: All parts.
    ///   - boundary: What is between them; nil for what the body begins with.
    ///   - isSecret: Whether a name is that of a secret field.
    ///   - redact: Gives a part of a type without its secrets, and those; nil if it has none.
    init(
        _ body: [UInt8],
        boundary: [UInt8]?,
        isSecret: (String) -> Bool,
        redact: ([UInt8], _ type: String) -> (bytes: [UInt8], found: [[UInt8]])?
    ) {
        edits = Edits(body)
        let firstLine = body.starts(with: "--".utf8) ? body.prefix { $0 != 0x0D && $0 != 0x0A } : []
        let delimiter = boundary.map { Array("--".utf8) + $0 } ?? Array(firstLine)
        guard delimiter.count > 2, let first = body.firstRange(of: delimiter) else { return }
        var rest = body[first.upperBound...]
        while !rest.isEmpty {
            let end = rest.firstRange(of: delimiter)?.lowerBound ?? rest.endIndex
            take(rest[..<end], isSecret, redact)
            rest = rest[end...].dropFirst(delimiter.count)
        }
    }

    private mutating func take(
        _ part: ArraySlice<UInt8>,
        _ isSecret: (String) -> Bool,
        _ redact: ([UInt8], _ type: String) -> (bytes: [UInt8], found: [[UInt8]])?
    ) {
        let blankLine = ["\r\n\r\n", "\n\n"].lazy.compactMap { part.firstRange(of: Array($0.utf8)) }.first
        guard let blankLine else { return }
        let head = String(decoding: part[..<blankLine.lowerBound], as: UTF8.self)
        var value = part[blankLine.upperBound...]
        if value.last == 0x0A { value.removeLast() }
        if value.last == 0x0D { value.removeLast() }
        let range = value.startIndex..<value.endIndex
        if Self.names(in: head).contains(where: isSecret) { return edits.redact(range, value: Array(value)) }
        let type = head.firstMatch(of: /(?im)^content-type\s*:\s*([^\r\n]*)/).map { String($0.1) } ?? ""
        guard let (bytes, found) = redact(Array(value), type) else { return }
        edits.replace(range, with: bytes, value: [])
        edits.add(found)
    }

    /// The names of the part, also in the form of RFC 8187: `name*=UTF-8''pass%77ord`.
    private static func names(in head: String) -> [String] {
        head.matches(of: /(?i)[;\s]name(\*?)\s*=\s*("[^"]*"|[^;\s]+)/).map { match in
            let text = match.2.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
            let value = match.1.isEmpty ? text : text.components(separatedBy: "'").last ?? text
            return value.removingPercentEncoding ?? value
        }
    }
}
