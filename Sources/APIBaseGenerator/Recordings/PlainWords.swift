import Foundation

/// Which texts of a recording are words, so that a draft can keep them: others are values that were sent, and may be
/// secrets.
enum PlainWords {
    /// Whether a text is a value whatever stands around it: a number, a UUID, a date, a hash, a token, an address.
    static func isValue(_ text: String) -> Bool {
        let text = text.removingPercentEncoding ?? text
        if text.contains("@") || UUID(uuidString: text) != nil { return true }
        // No pattern: a reply may have thousands of names, and patterns are slow.
        let isNumber = !text.isEmpty && text.allSatisfy(\.isNumber)
        let isHash = text.count >= 16 && text.allSatisfy(\.isHexDigit)
        if isNumber || isHash || text.startsWithDate { return true }
        // A long text with digits that is not made of short words is a token.
        return text.count >= 20 && text.contains(where: \.isNumber)
            && text.split(whereSeparator: { "-_.".contains($0) }).contains { $0.count >= 12 }
    }

    /// The parts that are words, and `nil` for the others: a draft is kept for good, and links have secrets in their
    /// paths.
    static func words(in parts: [String]) -> [String?] {
        parts.indices.map { index in
            let (part, last) = (parts[index], index > 0 ? parts[index - 1].lowercased() : "")
            let isKey = beforeKeys.contains(last) && !afterKeys.union(beforeKeys).contains(part.lowercased())
            return isWords(part) && !isKey ? part : nil
        }
    }

    /// The words before the key of a link that was sent to somebody.
    private static let beforeKeys: Set<String> = [
        "activate", "activation", "confirm", "confirmation", "invitation", "invitations", "invite", "invites", "magic",
        "recover", "redeem", "reset", "secret", "secrets", "token", "tokens", "unsubscribe", "verification", "verify",
    ]

    /// Other segments of such links.
    private static let afterKeys: Set<String> = [
        "accept", "all", "cancel", "check", "complete", "current", "decline", "email", "info", "me", "new", "password",
        "phone", "refresh", "request", "resend", "revoke", "status", "validate",
    ]

    /// Whether a part is made of words and short numbers, and has no digit within a word, but for versions and names that
    /// are known.
    private static func isWords(_ part: String) -> Bool {
        let part = part.removingPercentEncoding ?? part
        if isValue(part) { return false }
        let pieces = part.split { !$0.isLetter && !$0.isNumber }
        return pieces.contains { $0.contains(where: \.isLetter) }
            && pieces.allSatisfy { $0.allSatisfy(\.isNumber) ? $0.count <= 4 : isWord(String($0)) }
    }

    private static func isWord(_ text: String) -> Bool {
        guard text.allSatisfy(\.isLetter) else { return text.lowercased().wholeMatch(of: withDigits) != nil }
        // Humps of a name such as `getUserByID`: few, none longer than a word, no long run of capitals.
        let humps = text.split { $0.isUppercase }
        let capitals = text.split { !$0.isUppercase }
        return humps.count * 3 <= max(text.count, 5) && humps.allSatisfy { $0.count <= 15 }
            && capitals.allSatisfy { $0.count <= 7 }
    }

    private nonisolated(unsafe) static let withDigits =
        /v\d{1,3}((alpha|beta|rc)\d{0,3})?|oauth[12]|\dfa|s3|ec2|ipv[46]|md5|sha\d{1,3}|base\d\d|http[23]|mp[34]|web3|b2[bc]/
}
