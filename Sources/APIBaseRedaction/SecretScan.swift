import Basics

/// Finds the secrets in a text by their places, also in encoded texts inside it.
struct SecretScan {
    /// The bytes of which every secret with a name has one nearby. Most headers have none of them.
    private static let signs = ByteSet("=:<%\\&")

    private let names: SecretNames
    private let depth: Int
    private var bytes: [UInt8]
    private var found: [[UInt8]] = []
    private var isChanged = false

    /// - Parameters:
    ///   - bytes: The text.
    ///   - names: The names of secrets.
    ///   - depth: The number of encodings around the text.
    init(_ bytes: [UInt8], names: SecretNames, depth: Int = 0) {
        self.bytes = bytes
        self.names = names
        self.depth = depth
    }

    /// The text without its secrets; nil if it contains none.
    var result: RedactedBytes? { isChanged ? (bytes, found) : nil }

    /// Redacts the text of a message, in which the values of secret names are words as well.
    mutating func runInMessage() {
        run()
        let names = names
        apply(Credentials.bearerTokens(in: bytes))
        apply(AssignedFields(bytes, areWords: true, isSecret: names.hasAny).edits)
    }

    mutating func apply(_ edits: Edits) {
        guard !edits.isEmpty else { return }
        found += edits.found
        bytes = edits.result
        isChanged = true
    }

    /// Redacts the text.
    ///
    /// - Parameters:
    ///   - isForm: True if the whole text is pairs separated by `&`.
    ///   - budget: The budget of the text around this one; nil for a text that is not inside another.
    mutating func run(isForm: Bool = false, budget: ScanBudget? = nil) {
        guard Self.signs.firstIndex(in: bytes, from: 0) < bytes.count else { return }
        let names = names
        let budget = budget ?? ScanBudget(for: bytes)
        apply(
            QueryFields(bytes, isForm: isForm) { name in
                names.hasQueryName(name) || isForm && names.hasField(name)
            }.edits
        )
        apply(JSONFields(bytes, isSecret: names.hasField, isSecretHeader: names.hasHeader).edits)
        apply(AssignedFields(bytes, isSecret: names.hasField).edits)
        apply(MarkupFields(bytes, isSecret: names.hasField).edits)
        guard depth < Escape.deepest else { return }
        for escape in Escape.allCases {
            apply(
                EncodedTexts(in: bytes, by: escape) { [depth] part in
                    guard budget.take(part) else { return (Array(RedactionRules.marker.utf8), []) }
                    var scan = SecretScan(part, names: names, depth: depth + 1)
                    scan.run(budget: budget)
                    return scan.result
                }.edits
            )
        }
    }
}
