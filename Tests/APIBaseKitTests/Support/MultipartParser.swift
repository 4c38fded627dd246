import Foundation
import Testing

/// A form with files as RFC 7578 and RFC 2046 have it, parsed strictly: anything else fails the test.
struct MultipartParser {
    struct Part: Equatable {
        var name: String
        var fileName: String?
        var type: String?
        var content: Data
    }

    static func parse(_ body: Data, type: String?) throws -> [Part] {
        let prefix = "multipart/form-data; boundary="
        let type = try #require(type)
        try #require(type.hasPrefix(prefix))
        let boundary = type.dropFirst(prefix.count)
        // RFC 2046, section 5.1.1; without quotation marks only what a token may have.
        try #require(
            1...70 ~= boundary.count
                && boundary.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        )
        let delimiter = Data("--\(boundary)".utf8)
        var rest = body
        try take(delimiter, from: &rest)
        var parts: [Part] = []
        while rest.starts(with: Data("\r\n".utf8)) {
            try take(Data("\r\n".utf8), from: &rest)
            let end = try #require(rest.range(of: Data("\r\n".utf8) + delimiter))
            parts.append(try part(rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        #expect(rest == Data("--\r\n".utf8))
        return parts
    }

    private static func take(_ data: Data, from rest: inout Data) throws {
        try #require(rest.starts(with: data))
        rest = rest.dropFirst(data.count)
    }

    private static func part(_ data: Data) throws -> Part {
        let end = try #require(data.range(of: Data("\r\n\r\n".utf8)))
        let head = try #require(String(data: data[..<end.lowerBound], encoding: .utf8))
        var lines = head.components(separatedBy: "\r\n")
        try #require(!head.utf8.contains { $0 < 0x20 && $0 != 0x0D && $0 != 0x0A || $0 == 0x7F })
        let disposition = lines.removeFirst()
        let pattern = #/Content-Disposition: form-data; name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?/#
        let match = try #require(disposition.wholeMatch(of: pattern))
        var type: String?
        if let line = lines.first {
            try #require(line.hasPrefix("Content-Type: ") && lines.count == 1)
            type = String(line.dropFirst(14))
        }
        return Part(
            name: String(match.1),
            fileName: match.2.map { String($0) },
            type: type,
            content: Data(data[end.upperBound...])
        )
    }
}
