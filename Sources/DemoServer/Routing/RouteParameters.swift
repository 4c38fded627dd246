/// The values in a path for the `:names` of a pattern.
struct RouteParameters: Sendable {
    private var values: [Substring: String] = [:]

    /// Nil where the path does not match.
    init?(_ segments: [String], matching pattern: [Substring]) {
        guard segments.count == pattern.count else { return nil }
        for (segment, piece) in zip(segments, pattern) {
            if piece.first == ":" {
                guard !segment.isEmpty else { return nil }
                values[piece.dropFirst()] = segment
            } else if piece != segment {
                return nil
            }
        }
    }

    subscript(name: Substring) -> String { values[name] ?? "" }

    /// The value as a number, nil where it is none.
    func number(_ name: Substring) -> Int? { Int(self[name]) }
}
