import Basics

/// Checks of a response, whichever engine let it through.
enum ResponseCheck {
    /// Whether the head can be trusted to mean what the engine made of it.
    ///
    /// Lengths that are no numbers, or not all the same, leave open where the body ends: what one reader takes for the
    /// rest of it, another takes for the next response (RFC 9110, section 8.6; RFC 9112, section 6.3). A field value
    /// with a line's end or a NUL in it is refused (RFC 9110, section 5.5), as is a status that has not three digits.
    static func passes(_ head: ResponseHead) -> Bool {
        guard (100...999).contains(head.statusCode) else { return false }
        if head.framing != nil { return true }
        var length: Int64?
        for (name, value) in head.headers {
            let isOneLine = value.withBytes { $0.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }
            guard isOneLine else { return false }
            guard name.equalsIgnoringCase("Content-Length") else { continue }
            for text in value.split(separator: ",", omittingEmptySubsequences: false) {
                guard let number = number(text), number == length ?? number else { return false }
                length = number
            }
        }
        return true
    }

    /// Digits, with spaces and tabs around them.
    private static func number(_ text: Substring) -> Int64? {
        var digits = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = digits.last, last == 0x20 || last == 0x09 { digits.removeLast() }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(Substring(digits))
    }
}
