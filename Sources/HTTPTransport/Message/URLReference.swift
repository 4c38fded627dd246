import Basics
public import Foundation

/// The five components of a URL or relative reference, still encoded (RFC 3986, section 3 and appendix B).
///
/// `URL` on Linux resolves decoded paths, which turns `/a%2Fb` into `/a/b`. Separators are searched by bytes, since a
/// character may be a separator with a combining mark, and takes ten times as long to find.
package struct URLReference {
    var scheme: Substring?
    var authority: Substring?
    var path: Substring
    var query: Substring?
    package var fragment: Substring?

    package init(_ text: String) {
        var rest = text[...]
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[rest.utf8.index(after: hash)...]
            rest = rest[..<hash]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), rest[..<colon].isScheme {
            scheme = rest[..<colon]
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let end = rest.utf8.firstIndex(of: .slash) ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        path = rest
    }

    /// The components joined again.
    package var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// This reference resolved against `base` (RFC 3986, section 5.2.2).
    package func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme != nil {
            target.path = path.withoutDotSegments
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = path.withoutDotSegments
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.utf8.first == .slash {
            target.path = path.withoutDotSegments
        } else {
            target.path = base.merging(path).withoutDotSegments
        }
        return target
    }

    private func merging(_ relative: Substring) -> Substring {
        if authority != nil, path.isEmpty { return "/" + relative }
        guard let slash = path.utf8.lastIndex(of: .slash) else { return relative }
        return path[...slash] + relative
    }
}

extension UInt8 {
    fileprivate static var slash: UInt8 { UInt8(ascii: "/") }
}

extension Substring {
    fileprivate var isScheme: Bool {
        guard let first = utf8.first, first.isASCIILetter else { return false }
        return utf8.allSatisfy(\.isSchemeCharacter)
    }

    /// Whether a segment of the path begins with a dot.
    private var mayHaveDotSegments: Bool {
        var previous = UInt8.slash
        for byte in utf8 {
            if previous == .slash, byte == UInt8(ascii: ".") { return true }
            previous = byte
        }
        return false
    }

    /// The path with `.` and `..` removed (RFC 3986, section 5.2.4).
    fileprivate var withoutDotSegments: Substring {
        guard mayHaveDotSegments else { return self }
        var kept: [Substring] = []
        var pieces = utf8.split(separator: .slash, omittingEmptySubsequences: false).map(Substring.init)
        let isAbsolute = utf8.first == .slash
        if isAbsolute { pieces.removeFirst() }
        for (index, piece) in pieces.enumerated() {
            let isLast = index == pieces.count - 1
            switch piece {
            case ".":
                if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default:
                kept.append(piece)
            }
        }
        return Substring((isAbsolute ? "/" : "") + kept.joined(separator: "/"))
    }
}

extension URL {
    /// The URL for logs: without user name, password and fragment, and with `redacted` for every value in the query.
    /// Nil if the rest is not a URL.
    public var redacted: URL? {
        var reference = URLReference(absoluteString)
        reference.fragment = nil
        if let authority = reference.authority, let at = authority.lastIndex(of: "@") {
            reference.authority = authority[at...].dropFirst()
        }
        reference.query = reference.query.map { query in
            let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item in
                item.firstIndex(of: "=").map { item[...$0] + "redacted" } ?? (item.isEmpty ? "" : "redacted")
            }
            return Substring(items.joined(separator: "&"))
        }
        return URL(string: reference.text)
    }
}
