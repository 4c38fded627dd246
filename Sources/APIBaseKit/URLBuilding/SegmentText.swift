import Basics

/// A parameter that stands in a path as one segment of it.
struct SegmentText {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The text with everything escaped but unreserved characters (RFC 3986, section 2.3), so that it stays one segment.
    ///
    /// An interpolation cannot throw. So a text that no escaping makes safe leaves ``refusalMark`` in the path, which
    /// ``URLText`` refuses.
    var escaped: String {
        guard let refusal else { return text.escapedUnlessUnreserved }
        return String(UnicodeScalar(Self.refusalMark)) + refusal.rawValue
    }

    /// Why the text cannot be a segment: servers and proxies resolve dots, and many decode `%2F` before they do.
    private var refusal: Refusal? {
        if text.isEmpty { return .empty }
        return text.pathDefect(resolvingEscapes: false).map { $0 == .dotSegment ? .dotSegment : .controlCharacter }
    }

    private enum Refusal: String, CaseIterable {
        case empty = "e"
        case controlCharacter = "c"
        case dotSegment = "d"

        var reason: InvalidURL.Reason {
            switch self {
            case .empty: .empty
            case .controlCharacter: .controlCharacter
            case .dotSegment: .dotSegment
            }
        }
    }

    /// The mark in a path that replaces a refused text: U+001A SUBSTITUTE, a control character, so the path is refused whatever
    /// follows.
    private static let refusalMark: UInt8 = 0x1A

    /// Why a parameter of this path was refused, if one was.
    static func refusal(in path: String) -> InvalidURL.Reason? {
        guard let mark = path.utf8.firstIndex(of: refusalMark) else { return nil }
        let rest = path[mark...].dropFirst()
        return Refusal.allCases.first { rest.hasPrefix($0.rawValue) }?.reason
    }
}

extension DefaultStringInterpolation {
    /// Puts a parameter into a path as one segment: `"/todos/\(segment: id)"`.
    ///
    /// Everything but letters, digits and `-._~` is escaped, so that a slash arrives as `%2F`. An empty text, a control
    /// character, and a `.` or `..` that stands alone or between slashes make the request fail to build with
    /// ``RequestError/invalidURL(_:)``: no escape keeps servers from resolving them.
    public mutating func appendInterpolation(segment: some CustomStringConvertible) {
        appendLiteral(SegmentText(segment.description).escaped)
    }
}
