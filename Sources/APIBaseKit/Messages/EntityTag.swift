/// The value of `ETag` (RFC 9110, section 8.8.3). One without quotes is taken as it is: some servers send them.
struct EntityTag: Sendable, Equatable {
    /// The tag as it is sent, with `W/` and quotes.
    let text: String

    /// The first tag of the fields; nil if there is none.
    init?(_ headers: HTTPHeaders) {
        let text = headers.values(for: "ETag").first?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// Whether it can be sent as a condition, of this tag alone: an unquoted `*` would mean any.
    var isSendable: Bool { text.isSendableValidator && text != "*" }

    var isWeak: Bool { text.hasPrefix("W/") }

    /// Whether both are the same, and strong or not (section 8.8.3.2).
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Whether both are the same, and strong (section 8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && text == other.text }

    private var opaque: Substring { isWeak ? text.dropFirst(2) : text[...] }
}

extension String {
    /// Whether this can be sent as a validator. A server may send what a client must not, such as bytes beyond ASCII (RFC 9110,
    /// section 8.8.3), and what is in a file may be anything.
    var isSendableValidator: Bool { !isEmpty && utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}
