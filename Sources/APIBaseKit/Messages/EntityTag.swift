/// The value of `ETag` (RFC 9110, section 8.8.3). A tag without quotes is accepted, since some servers send them.
struct EntityTag: Sendable, Equatable {
    /// The tag as it is sent, with `W/` and quotes.
    let text: String

    /// Takes the first tag of the headers, or `nil`.
    init?(_ headers: HTTPHeaders) {
        let text = headers.values(for: "ETag").first?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// True if it can be sent in a condition. An unquoted `*` would match any tag.
    var isSendable: Bool { text.isSendableValidator && text != "*" }

    var isWeak: Bool { text.hasPrefix("W/") }

    /// The weak comparison (section 8.8.3.2).
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// The strong comparison (section 8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && text == other.text }

    private var opaque: Substring { isWeak ? text.dropFirst(2) : text[...] }
}

extension String {
    /// True if a client may send this as a validator. A server or a file may hold other characters, such as bytes
    /// beyond ASCII (RFC 9110, section 8.8.3).
    var isSendableValidator: Bool { !isEmpty && utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

extension URLRequest {
    /// The method; `GET` if none is set.
    var method: HTTPMethod { HTTPMethod(rawValue: httpMethod ?? "GET") }
}
