import Foundation

/// The templates of recorded paths: `/users/{userId}` for `/users/7` and `/users/8`.
struct PathTemplates {
    /// By its parts, a path with `nil` where it has a value.
    private var templates: [[String]: [String?]] = [:]

    /// - Parameter paths: The parts of each path, with what tells its reply from those of other endpoints.
    init(_ paths: [(parts: [String], reply: String)]) {
        for (parts, _) in paths { templates[parts] = parts.map { Self.isValue($0) ? nil : $0 } }
        // What differs each time among at least three that are alike otherwise, and are answered alike.
        for place in 1..<(paths.map(\.parts.count).max() ?? 1) + 1 {
            var groups: [[String]: Set<[String]>] = [:]
            for (parts, reply) in paths where parts.count > place {
                guard var key = templates[parts], key[place] != nil else { continue }
                key[place] = "{}"
                groups[key.map { $0 ?? "{}" } + [reply], default: []].insert(parts)
            }
            for group in groups.values where Set(group.map { $0[place] }).count >= 3 {
                for path in group { templates[path]?[place] = String?.none }
            }
        }
    }

    /// The template of a path, with a name for each of its values: that of the part before.
    func template(of parts: [String]) -> String {
        var names = NameTable()
        let pieces = (templates[parts] ?? parts).enumerated().map { index, part -> String in
            if let part { return part }
            let owner = index > 0 ? parts[index - 1] : "item"
            let name = Self.isValue(owner) ? "id" : "\(Identifier.singular(Identifier.member(owner)))Id"
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
}
