/// The operations that are generated.
struct Selection {
    let only: [String]
    let except: [String]

    /// - Throws: ``Refusal/nothingSelected(_:)`` for a pattern that matches no operation, and ``Refusal/nothingLeft``.
    func choose(from outlines: [OperationOutline]) throws -> [OperationOutline] {
        for pattern in only + except where !outlines.contains(where: { matches($0, pattern) }) {
            throw Refusal.nothingSelected(pattern)
        }
        let chosen = outlines.filter { outline in
            (only.isEmpty || only.contains { matches(outline, $0) }) && !except.contains { matches(outline, $0) }
        }
        guard !chosen.isEmpty || outlines.isEmpty else { throw Refusal.nothingLeft }
        return chosen
    }

    /// Whether a pattern is the operation's ID, tag, name, path, or method and path; `*` stands for any text.
    private func matches(_ outline: OperationOutline, _ pattern: String) -> Bool {
        let id = outline.id ?? outline.leafName
        let texts = [id, outline.group, "\(outline.group)/\(id)", outline.leafName, outline.path, outline.route]
        return texts.contains { Self.matches($0, pattern) }
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return text == pattern }
        guard text.hasPrefix(first), text.hasSuffix(last), text.count >= first.count + last.count else { return false }
        var rest = text.dropFirst(first.count).dropLast(last.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let range = rest.firstRange(of: piece) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
