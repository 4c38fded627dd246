import Foundation

/// The templates of recorded paths: `/users/{userId}` for `/users/7` and `/users/8`.
struct PathTemplates {
    /// By its parts, a path with `nil` where it has a value.
    private var templates: [[String]: [String?]] = [:]

    /// A path but for one place: numbers of what stands before and after it, and what tells its reply from others.
    private struct Surroundings: Hashable {
        let before: Int
        let after: Int
        let reply: Int
    }

    /// - Parameter paths: The parts of each path, with what tells its reply from those of other endpoints.
    init(_ paths: [(parts: [String], reply: String)]) {
        let all = paths.map(\.parts).unique()
        let rows = Dictionary(uniqueKeysWithValues: zip(all, all.indices))
        let replies = Dictionary(paths.map(\.reply).unique().enumerated().map { ($1, $0) }) { $1 }
        let calls = paths.map { (row: rows[$0.parts] ?? 0, reply: replies[$0.reply] ?? 0) }
        var found = all.map(Self.words)
        var numbers = Numbers()
        let after = found.map { row in
            row.reversed().reduce(into: [0]) { $0.append(numbers.number(of: $1, at: $0[$0.count - 1])) }
        }
        var before = found.map { numbers.number(of: $0.first ?? nil, at: 0) }
        // What differs each time among at least three that are alike otherwise, and are answered alike.
        for place in 1..<(all.map(\.count).max() ?? 1) + 1 {
            var groups: [Surroundings: Set<Int>] = [:]
            for (row, reply) in calls where all[row].count > place && found[row][place] != nil {
                let rest = after[row][all[row].count - 1 - place]
                groups[Surroundings(before: before[row], after: rest, reply: reply), default: []].insert(row)
            }
            for group in groups.values where Set(group.map { all[$0][place] }).count >= 3 {
                for row in group { found[row][place] = nil }
            }
            for row in all.indices where all[row].count > place {
                before[row] = numbers.number(of: found[row][place], at: before[row])
            }
        }
        templates = Dictionary(uniqueKeysWithValues: zip(all, found))
    }

    /// Numbers for sequences of parts, the same for the same.
    private struct Numbers {
        private struct Step: Hashable {
            let number: Int
            let part: String?
        }

        private var numbers: [Step: Int] = [:]

        mutating func number(of part: String?, at number: Int) -> Int {
            let step = Step(number: number, part: part)
            if let known = numbers[step] { return known }
            numbers[step] = numbers.count + 1
            return numbers.count
        }
    }

    /// The template of a path, with a name for each of its values: that of the part before.
    func template(of parts: [String]) -> String {
        var names = NameTable()
        let template = templates[parts] ?? parts
        let pieces = template.enumerated().map { index, part -> String in
            if let part { return part }
            let owner = index > 0 ? template[index - 1] : "item"
            let name = owner.map { "\(Identifier.singular(Identifier.member($0)))Id" } ?? "id"
            return "{\(names.take(name))}"
        }
        return "/\(pieces.joined(separator: "/"))"
    }

    /// Whether a text is a value whatever stands around it: a number, a UUID, a date, a hash, a token, an address.
    static func isValue(_ text: String) -> Bool {
        let text = text.removingPercentEncoding ?? text
        if text.contains("@") || UUID(uuidString: text) != nil { return true }
        if text.wholeMatch(of: /\d+|[0-9A-Fa-f]{16,}|\d{4}-\d\d-\d\d.*/) != nil { return true }
        // A long text with digits that is not made of short words is a token.
        return text.count >= 20 && text.contains(where: \.isNumber)
            && text.split(whereSeparator: { "-_.".contains($0) }).contains { $0.count >= 12 }
    }

    // MARK: Secrets

    /// The parts that are words, and `nil` for the others: a draft is kept for good, and links have secrets in their
    /// paths.
    private static func words(in parts: [String]) -> [String?] {
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
    static func isWords(_ part: String) -> Bool {
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
