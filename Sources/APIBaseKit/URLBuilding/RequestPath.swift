import Basics

/// A path as the user wrote it, with or without escapes.
struct RequestPath {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The path as it is sent: existing escapes stay, and bytes that are not allowed in a path are escaped.
    ///
    /// - Throws: ``InvalidURL`` for a path with another meaning than it seems to have.
    func escaped() throws(InvalidURL) -> String {
        try check(as: .path)
        return text.withBytes { bytes in
            bytes.escaped { bytes[$0].isPathCharacter || bytes.escape(at: $0) != nil }
        } ?? text
    }

    /// Throws for a path that servers read in different ways.
    func check(as part: InvalidURL.Part) throws(InvalidURL) {
        if let reason = text.withBytes(Self.flaw) { throw InvalidURL(part, reason) }
    }

    private static func flaw(of bytes: UnsafeBufferPointer<UInt8>) -> InvalidURL.Reason? {
        if bytes.contains(where: \.isControl) { return .controlCharacter }
        if bytes.contains(UInt8(ascii: "?")) { return .query }
        if bytes.contains(UInt8(ascii: "#")) { return .fragment }
        if bytes.contains(UInt8(ascii: "\\")) { return .backslash }
        return bytes.pathFlaw(resolvingEscapes: true).map(InvalidURL.Reason.init)
    }
}

/// A parameter of a path that is one segment of it.
struct PathSegment {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The text with all bytes escaped that are not unreserved (RFC 3986, section 2.3), so that it stays one segment.
    ///
    /// An interpolation cannot throw. So a text that no escaping makes safe is replaced by ``errorMark`` and a reason, and
    /// ``URLBuilder`` throws.
    var escaped: String {
        guard let problem else { return text.escapedUnlessUnreserved }
        return String(UnicodeScalar(Self.errorMark)) + problem.rawValue
    }

    /// The reason why the text cannot be a segment: servers and proxies resolve dots, and many decode `%2F` before that.
    private var problem: Problem? {
        if text.isEmpty { return .empty }
        return text.pathFlaw(resolvingEscapes: false).map { $0 == .dotSegment ? .dotSegment : .controlCharacter }
    }

    private enum Problem: String, CaseIterable {
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

    /// U+001A SUBSTITUTE. It is a control character, so the path is invalid in any case.
    private static let errorMark: UInt8 = 0x1A

    /// The problem of a parameter in this path, if there is one.
    static func problem(in path: String) -> InvalidURL.Reason? {
        guard let mark = path.utf8.firstIndex(of: errorMark) else { return nil }
        let rest = path[mark...].dropFirst()
        return Problem.allCases.first { rest.hasPrefix($0.rawValue) }?.reason
    }
}

extension InvalidURL.Reason {
    init(_ flaw: PathFlaw) {
        self = flaw == .dotSegment ? .dotSegment : .controlCharacter
    }
}

extension DefaultStringInterpolation {
    /// Inserts a parameter into a path as one segment: `"/todos/\(segment: id)"`.
    ///
    /// Everything but letters, digits and `-._~` is escaped; a slash becomes `%2F`. With an empty text, a control character,
    /// or a `.` or `..` that is alone or between slashes, building the request fails with ``RequestError/invalidURL(_:)``:
    /// servers resolve these even when they are escaped.
    public mutating func appendInterpolation(segment: some CustomStringConvertible) {
        appendLiteral(PathSegment(segment.description).escaped)
    }
}
