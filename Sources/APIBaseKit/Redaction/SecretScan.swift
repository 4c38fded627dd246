import Basics

/// Looks for what is secret in a text by its place, and in the texts that are written in it with escapes.
struct SecretScan {
    /// The maximum depth of nested encodings that are looked through.
    private static let deepest = 4
    private static let signs = ByteSet("=:<%\\&".utf8)

    /// The text without it.
    private(set) var bytes: [UInt8]
    /// The secrets that were found, without escapes.
    private(set) var found: [[UInt8]] = []
    private var isChanged = false

    /// - Parameters:
    ///   - bytes: The text.
    ///   - names: What is secret.
    ///   - isForm: Whether all of it is pairs with `&` between them.
    ///   - depth: In how many encodings it stands.
    ///   - allowance: That of the text around it; nil for a text of its own.
    init(
        _ bytes: [UInt8],
        names: SecretNames,
        isForm: Bool = false,
        depth: Int = 0,
        allowance: Allowance? = nil
    ) {
        self.bytes = bytes
        // Most headers have none of these, and nothing is called by its name without one.
        guard Self.signs.firstIndex(in: bytes, from: 0) < bytes.count else { return }
        take(
            QueryFields(bytes, isForm: isForm) { name in
                names.hasQueryName(name) || isForm && names.hasField(name)
            }.edits
        )
        take(JSONFields(self.bytes, isSecret: names.hasField, isSecretHeader: names.hasHeader).edits)
        take(AssignedFields(self.bytes, isSecret: names.hasField).edits)
        take(MarkupFields(self.bytes, isSecret: names.hasField).edits)
        guard depth < Self.deepest else { return }
        let allowance = allowance ?? Allowance(for: bytes)
        for escape in Escape.allCases {
            take(
                EncodedTexts(in: self.bytes, by: escape) { part in
                    guard allowance.take(part) else { return (Array(Redaction.marker.utf8), []) }
                    return SecretScan(part, names: names, depth: depth + 1, allowance: allowance).change
                }.edits
            )
        }
    }

    /// The text without its secrets, and the secrets; nil if there are none.
    var change: (bytes: [UInt8], found: [[UInt8]])? { isChanged ? (bytes, found) : nil }

    private mutating func take(_ edits: Edits) {
        guard !edits.isEmpty else { return }
        found += edits.found
        bytes = edits.result
        isChanged = true
    }
}
