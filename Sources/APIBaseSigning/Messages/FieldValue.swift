import Basics

extension String {
    /// The value of a header field without the blanks at its ends (RFC 9110, section 5.5); `nil` if it has a line end
    /// or a NUL, which no message can carry.
    var trimmedFieldValue: String? {
        withBytes { bytes in
            guard !bytes.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else { return nil }
            let trimmed = bytes.trimmed
            return trimmed.count == bytes.count ? self : String(decoding: trimmed, as: UTF8.self)
        }
    }

    /// Whether all of it is printable ASCII or a blank.
    var isPrintableASCII: Bool { utf8.allSatisfy { $0 < 0x80 && (!$0.isControl || $0 == 0x09) } }
}
