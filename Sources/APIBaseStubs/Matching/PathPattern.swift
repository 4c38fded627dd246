/// A path with places for parameters, as `/users/:id`.
struct PathPattern: Sendable {
    private enum Piece: Sendable {
        case text(String)
        case parameter(String)
        case anything
        case rest
    }

    let text: String
    private let pieces: [Piece]

    init(_ text: String) {
        self.text = text
        pieces = Self.split(text).map { piece in
            switch piece {
            case "*": .anything
            case "**": .rest
            case _ where piece.hasPrefix(":") && piece.count > 1: .parameter(String(piece.dropFirst()))
            default: .text(Self.plain(piece))
            }
        }
    }

    /// The parameters, without escapes, if the path is of this form.
    func parameters(in path: String) -> [String: String]? {
        var parameters: [String: String] = [:]
        let segments = Self.split(path)
        for (index, piece) in pieces.enumerated() {
            if case .rest = piece { return parameters }
            guard index < segments.count else { return nil }
            let segment = Self.plain(segments[index])
            switch piece {
            case .text(let text): if text != segment { return nil }
            case .parameter(let name): parameters[name] = segment
            case .anything, .rest: break
            }
        }
        return segments.count == pieces.count ? parameters : nil
    }

    /// The form of a path that the pattern is compared with in a message: the one that it is most like; of those that it is
    /// as much like, the last.
    func form(among paths: [String]) -> String { paths.reversed().max { likeness(to: $0) < likeness(to: $1) } ?? "" }

    /// How many segments fit, less the difference in length.
    private func likeness(to path: String) -> Int {
        let segments = Self.split(path)
        let fitting = zip(pieces, segments).count { piece, segment in
            if case .text(let text) = piece { text == Self.plain(segment) } else { true }
        }
        return fitting - abs(pieces.count - segments.count)
    }

    private static func split(_ path: String) -> [Substring] {
        (path.hasPrefix("/") ? path.dropFirst() : path[...]).split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func plain(_ segment: Substring) -> String { segment.removingPercentEncoding ?? String(segment) }
}
