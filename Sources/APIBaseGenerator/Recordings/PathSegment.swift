import Foundation

/// A part of a recorded path: a name of the API, or a value in it.
enum PathSegment {
    /// Whether a text is a value whatever stands around it: a number, a UUID, a hash, a token, an address.
    static func isValue(_ text: String) -> Bool {
        let text = text.removingPercentEncoding ?? text
        if text.wholeMatch(of: /\d+/) != nil || UUID(uuidString: text) != nil || text.contains("@") { return true }
        if text.wholeMatch(of: /[0-9A-Fa-f]{16,}/) != nil || text.wholeMatch(of: /\d{4}-\d\d-\d\d.*/) != nil { return true }
        // A long text with digits and without words between signs is a token.
        return text.count >= 20 && text.contains(where: \.isNumber)
            && !text.split(whereSeparator: { "-_.".contains($0) }).allSatisfy { $0.count < 12 }
    }
}

/// The templates of recorded paths: `/users/{userId}` for `/users/7` and `/users/8`.
struct PathTemplates {
    private var templates: [[String]: [String?]] = [:]

    /// - Parameter paths: The segments of each path, with what tells its reply from those of other endpoints.
    init(_ paths: [(segments: [String], reply: String)]) {
        for (segments, _) in paths { templates[segments] = segments.map { PathSegment.isValue($0) ? nil : $0 } }
        // What differs each time among at least three that are alike otherwise, and are answered alike.
        for place in 1..<(paths.map(\.segments.count).max() ?? 1) + 1 {
            var groups: [[String]: (values: Set<String>, paths: [[String]])] = [:]
            for (segments, reply) in paths where segments.count > place {
                guard let template = templates[segments], template[place] != nil else { continue }
                var key = template.map { $0 ?? "{}" } + [reply]
                key[place] = "{}"
                groups[key, default: ([], [])].values.insert(segments[place])
                groups[key]?.paths.append(segments)
            }
            for group in groups.values where group.values.count >= 3 {
                for path in group.paths { templates[path]?[place] = String?.none }
            }
        }
    }

    /// The template of a path, with a name for each of its values: that of the segment before.
    func template(of segments: [String]) -> String {
        var names = NameTable()
        let pieces = (templates[segments] ?? segments).enumerated().map { index, segment -> String in
            if let segment { return segment }
            let owner = index > 0 ? segments[index - 1] : "item"
            let base = PathSegment.isValue(owner) ? "id" : "\(Identifier.singular(Identifier.member(owner)))Id"
            return "{\(names.take(base))}"
        }
        return "/\(pieces.joined(separator: "/"))"
    }
}
