import Basics

/// A URL or relative reference in its five components, still encoded (RFC 3986, section 3 and appendix B).
///
/// `URL` resolves on decoded paths on Linux, which turns `/a%2Fb` into `/a/b`.
package struct URLReference {
    var scheme: Substring?
    var authority: Substring?
    var path: Substring
    var query: Substring?
    package var fragment: Substring?

    package init(_ text: String) {
        var rest = text[...]
        if let hash = rest.firstIndex(of: "#") {
            fragment = rest[hash...].dropFirst()
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[mark...].dropFirst()
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: ":"), rest[..<colon].isScheme {
            scheme = rest[..<colon]
            rest = rest[colon...].dropFirst()
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        path = rest
    }

    /// The whole text again.
    package var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// This reference as seen from `base` (RFC 3986, section 5.2.2).
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
        } else if path.hasPrefix("/") {
            target.path = path.withoutDotSegments
        } else {
            target.path = base.merging(path).withoutDotSegments
        }
        return target
    }

    private func merging(_ relative: Substring) -> Substring {
        if authority != nil, path.isEmpty { return "/" + relative }
        guard let slash = path.lastIndex(of: "/") else { return relative }
        return path[...slash] + relative
    }
}

extension Substring {
    fileprivate var isScheme: Bool {
        guard let first = utf8.first, first.isASCIILetter else { return false }
        return utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    }

    /// The path with `.` and `..` worked out (RFC 3986, section 5.2.4).
    fileprivate var withoutDotSegments: Substring {
        var kept: [Substring] = []
        var pieces = split(separator: "/", omittingEmptySubsequences: false)
        let isAbsolute = hasPrefix("/")
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
