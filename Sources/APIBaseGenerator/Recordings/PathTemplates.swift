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
        var found = all.map(PlainWords.words)
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

    /// Whether a path is one of a template, of which these are the parts.
    static func fits(_ parts: [String], _ template: [Substring]) -> Bool {
        parts.count == template.count
            && zip(template, parts).allSatisfy {
                $0.contains("{") || $0 == $1 || $0 == ($1.removingPercentEncoding ?? $1)
            }
    }
}
