import Foundation
import OpenAPIDocument

/// The templates of recorded paths: `/users/{userId}` for `/users/7` and `/users/8`.
struct PathTemplates {
    /// By its parts, a path with `nil` where it has a value.
    private var templates: [[String]: [String?]] = [:]

    /// Parts further to the right do not vary: comparing them would take too long.
    private static let depthLimit = 20

    /// - Parameter paths: The parts of each path, with what tells its reply from those of other endpoints.
    init(_ paths: [(parts: [String], reply: String)]) {
        for (parts, _) in paths { templates[parts] = PlainWords.words(in: parts) }
        // What differs each time among at least three that are alike otherwise, and are answered alike.
        for place in 1..<Self.depthLimit {
            let words = paths.filter { $0.parts.count > place && templates[$0.parts]?[place] != nil }
            let groups = words.grouped { parts, reply in
                var path = templates[parts] ?? []
                path[place] = nil
                return path + [reply]
            }
            for (_, alike) in groups where Set(alike.map { $0.parts[place] }).count >= 3 {
                for (parts, _) in alike { templates[parts]?[place] = nil }
            }
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

    /// Whether a path is one of a template.
    static func fits(_ parts: [String], _ template: String) -> Bool {
        let pieces = template.split(separator: "/")
        return parts.count == pieces.count
            && zip(pieces, parts).allSatisfy {
                $0.contains("{") || $0 == $1 || $0 == ($1.removingPercentEncoding ?? $1)
            }
    }
}
