import Basics

/// The value of `Content-Range` for a part in bytes (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    let first: Int64
    let last: Int64
    /// The length of the whole; `nil` if the server does not know it.
    let total: Int64?

    /// - Returns: `nil` for anything else than `bytes 0-9/100` and `bytes 0-9/*` with numbers that are possible.
    init?(_ field: String) {
        let words = field.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].equalsIgnoringCase("bytes") else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let range = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard range.count == 2, let first = Self.number(range[0]), let last = Self.number(range[1]), first <= last,
            last < .max
        else { return nil }
        let total = Self.number(parts[1])
        guard parts[1] == "*" || total.map({ last < $0 }) == true else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int64(text) : nil
    }
}
