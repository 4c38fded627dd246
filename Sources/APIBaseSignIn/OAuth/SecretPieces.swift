import Basics

/// Pieces of secrets. A text that has one is not shown, as it may hold the half of a secret, which ``Secrets`` cannot
/// find.
struct SecretPieces {
    /// The length of a piece, in bytes. A shorter secret is one piece.
    private static let length = 8

    private var pieces: Set<ArraySlice<UInt8>> = []
    private var lengths: Set<Int> = []

    init(of secrets: [String]) {
        for secret in secrets { for spelling in Secrets.spellings(of: Array(secret.utf8)) { insert(spelling) } }
    }

    private mutating func insert(_ spelling: [UInt8]) {
        guard !spelling.isEmpty else { return }
        let length = min(Self.length, spelling.count)
        lengths.insert(length)
        for start in 0...(spelling.count - length) { pieces.insert(spelling[start..<(start + length)]) }
    }

    /// Whether a text has eight bytes of a secret in a row, or a shorter secret as a whole, in any of their spellings.
    func isAny(in text: String) -> Bool {
        !pieces.isEmpty
            && Array(text.utf8).searchLevels.contains { level in
                let level = level.map(\.lowercasedASCII)
                return lengths.contains { length in
                    level.indices.dropLast(length - 1).contains { pieces.contains(level[$0..<($0 + length)]) }
                }
            }
    }
}
