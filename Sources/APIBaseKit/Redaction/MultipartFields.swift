import Foundation

/// Finds the values of secret fields in `multipart/form-data` (RFC 7578).
struct MultipartFields {
    private(set) var edits: Edits

    /// The boundary is what the body begins with.
    init(_ body: [UInt8], isSecret: (String) -> Bool) {
        edits = Edits(body)
        guard body.starts(with: "--".utf8), let lineEnd = body.firstIndex(of: 0x0D) ?? body.firstIndex(of: 0x0A) else {
            return
        }
        let boundary = Array(body[..<lineEnd])
        var rest = body[lineEnd...]
        while !rest.isEmpty {
            let end = rest.firstRange(of: boundary)?.lowerBound ?? rest.endIndex
            redact(rest[..<end], isSecret)
            rest = rest[end...].dropFirst(boundary.count)
        }
    }

    private mutating func redact(_ part: ArraySlice<UInt8>, _ isSecret: (String) -> Bool) {
        let blankLine = ["\r\n\r\n", "\n\n"].lazy.compactMap { part.firstRange(of: Array($0.utf8)) }.first
        guard let blankLine else { return }
        let head = String(decoding: part[..<blankLine.lowerBound], as: UTF8.self)
        guard let name = Self.name(in: head), isSecret(name) else { return }
        var value = part[blankLine.upperBound...]
        if value.last == 0x0A { value.removeLast() }
        if value.last == 0x0D { value.removeLast() }
        edits.redact(value.startIndex..<value.endIndex, value: Array(value))
    }

    private static func name(in head: String) -> String? {
        guard let match = head.firstMatch(of: /(?i)[;\s]name\s*=\s*("[^"]*"|[^;\s]+)/) else { return nil }
        return match.1.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }
}
