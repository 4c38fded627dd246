import Basics

extension String {
    /// The path as it is sent: existing escapes stay, and bytes that are not allowed in a path are escaped.
    ///
    /// - Throws: ``RequestError/InvalidURL`` for a path with another meaning than it seems to have.
    func escapedAsPath() throws(RequestError.InvalidURL) -> String {
        try checkPath(as: .path)
        return withBytes { bytes in
            bytes.escaped { bytes[$0].isPathCharacter || bytes.escape(at: $0) != nil }
        } ?? self
    }

    /// Throws for a path that servers read in different ways.
    func checkPath(as part: RequestError.InvalidURL.Part) throws(RequestError.InvalidURL) {
        if let reason = withBytes(Self.flaw) { throw RequestError.InvalidURL(part, reason) }
    }

    private static func flaw(ofPath bytes: UnsafeBufferPointer<UInt8>) -> RequestError.InvalidURL.Reason? {
        if bytes.contains(where: \.isControl) { return .controlCharacter }
        if bytes.contains(UInt8(ascii: "?")) { return .query }
        if bytes.contains(UInt8(ascii: "#")) { return .fragment }
        if bytes.contains(UInt8(ascii: "\\")) { return .backslash }
        return bytes.pathDefect(resolvingEscapes: true).map(RequestError.InvalidURL.Reason.init)
    }
}

/// Parameters of paths.
enum PathSegment {
    /// U+001A SUBSTITUTE. It is a control character, so a path with it is invalid in any case.
    private static let errorMark: UInt8 = 0x1A

    /// The characters after the mark.
    private static let problems: KeyValuePairs<Character, RequestError.InvalidURL.Reason> = [
        "e": .empty, "c": .controlCharacter, "d": .dotSegment,
    ]

    /// The text with all bytes escaped that are not unreserved (RFC 3986, section 2.3), so that it stays one segment.
    ///
    /// An interpolation cannot throw. So a text that no escaping makes safe is replaced by ``errorMark`` and a reason,
    /// and ``URLBuilder`` throws. Servers and proxies resolve dots, and many decode `%2F` before that.
    static func escaped(_ text: String) -> String {
        let defect = text.pathDefect(resolvingEscapes: false)
        let problem = text.isEmpty ? .empty : defect.map(RequestError.InvalidURL.Reason.init)
        guard let mark = problems.first(where: { $0.value == problem })?.key else {
            return text.escapedUnlessUnreserved
        }
        return String(UnicodeScalar(errorMark)) + String(mark)
    }

    /// The problem of a parameter in this path, if there is one.
    static func problem(in path: String) -> RequestError.InvalidURL.Reason? {
        guard let mark = path.utf8.firstIndex(of: errorMark) else { return nil }
        let rest = path[mark...].dropFirst()
        return problems.first { rest.first == $0.key }?.value
    }
}

extension RequestError.InvalidURL.Reason {
    init(_ defect: PathDefect) {
        self = defect == .dotSegment ? .dotSegment : .controlCharacter
    }
}

extension DefaultStringInterpolation {
    /// Inserts a parameter into a path as one segment: `"/todos/\(segment: id)"`.
    ///
    /// Everything but letters, digits and `-._~` is escaped; a slash becomes `%2F`. With an empty text, a control
    /// character, or a `.` or `..` that is alone or between slashes, building the request fails with
    /// ``RequestError/invalidURL(_:)``: servers resolve these even when they are escaped.
    public mutating func appendInterpolation(segment: some CustomStringConvertible) {
        appendLiteral(PathSegment.escaped(segment.description))
    }
}
