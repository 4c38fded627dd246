import Basics
import Foundation

/// The value of `ETag` (RFC 9110, section 8.8.3). A tag without quotes is accepted, since some servers send them.
package struct EntityTag: Sendable, Equatable {
    /// The tag as it is sent, with `W/` and quotes.
    package let text: String

    /// Takes the first tag of the headers, or `nil`. A list of one tag, sent several times, is that tag.
    package init?(_ headers: HTTPHeaders) {
        let text = headers.values(for: "ETag").first?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !text.isEmpty else { return nil }
        let tags = text.parts(at: ",")
        let isRepeated = tags[0].utf8.last == UInt8(ascii: "\"") && tags.allSatisfy { $0 == tags[0] }
        self.text = isRepeated ? tags[0] : text
    }

    /// True if it can be sent in a condition. An unquoted `*` would match any tag.
    package var isSendable: Bool { text.isSendableValidator && text != "*" }

    /// True if it can be kept, and sent in the conditions of later requests.
    package var isKeepable: Bool { isSendable && text.isKeepableValidator }

    package var isWeak: Bool { text.utf8.starts(with: "W/".utf8) }

    /// The weak comparison (section 8.8.3.2).
    package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// The strong comparison (section 8.8.3.2).
    package func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && text == other.text }

    private var opaque: Substring { isWeak ? Substring(text.utf8.dropFirst(2)) : text[...] }
}

extension String {
    /// True if a client may send this as a validator. A server or a file may hold other characters, such as bytes
    /// beyond ASCII (RFC 9110, section 8.8.3).
    var isSendableValidator: Bool { !isEmpty && utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// True if a validator may also be kept for later requests, which must not fail for its length.
    package var isKeepableValidator: Bool { isSendableValidator && utf8.count <= Echo.limit }
}
