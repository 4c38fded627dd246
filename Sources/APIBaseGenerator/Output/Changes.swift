/// The changes of a run, in words: declarations that are new, gone, or of another type.
struct Changes {
    private let old: [String: String]
    private let new: [String: String]

    init(from old: [String], to new: [String]) {
        self.old = Self.declarations(of: old)
        self.new = Self.declarations(of: new)
    }

    /// The lines to print; none if nothing that a caller sees has changed, or if everything is new.
    var lines: [String] {
        guard !old.isEmpty else { return [] }
        let gone = old.keys.filter { new[$0] == nil && !isInside($0, of: old, without: new) }
        let added = new.keys.filter { old[$0] == nil && !isInside($0, of: new, without: old) }
        let changed = old.keys.filter { new[$0] != nil && new[$0] != old[$0] }
        return Self.list("new", added.sorted())
            + Self.list("gone", gone.sorted())
            + Self.list("changed", changed.sorted().map { "\($0): \(old[$0] ?? "") → \(new[$0] ?? "")" })
    }

    /// Whether the type around it is new or gone too.
    private func isInside(_ key: String, of all: [String: String], without others: [String: String]) -> Bool {
        guard let dot = key.lastIndex(of: ".") else { return false }
        let owner = String(key[..<dot])
        return all[owner] != nil && others[owner] == nil
    }

    private static func list(_ word: String, _ items: [String]) -> [String] {
        let limit = 30
        let more = items.count > limit ? ["  … and \(items.count - limit) more"] : []
        return items.prefix(limit).map { "  \(word): \($0)" } + more
    }

    /// The declarations of generated texts, by their whole names: `Pet.tag` is `String?`.
    private static func declarations(of texts: [String]) -> [String: String] {
        var declarations: [String: String] = [:]
        for text in texts {
            var owners: [String] = []
            for line in joinedInitializers(text.split(whereSeparator: \.isNewline)) {
                let indentation = line.prefix { $0 == " " }.count / 4
                let code = line.drop { $0 == " " }
                // The patterns are slow, and most lines are no declarations.
                guard
                    ["public ", "@", "struct ", "enum ", "non", "ext", "open ", "final ", "var "].contains(
                        where: code.hasPrefix
                    )
                else { continue }
                owners = Array(owners.prefix(indentation))
                if let match = code.firstMatch(of: typePattern) {
                    owners.append(String(match.2))
                    if match.1 != "extension" { declarations[owners.joined(separator: ".")] = String(match.1) }
                } else if let match = code.firstMatch(of: memberPattern), owners.count == indentation {
                    declarations[(owners + [String(match.1)]).joined(separator: ".")] = String(match.2)
                }
            }
        }
        return declarations
    }

    /// The lines, with each initializer's parameters on one line.
    private static func joinedInitializers(_ lines: [Substring]) -> [Substring] {
        var joined: [Substring] = []
        var isInside = false
        for line in lines {
            guard isInside, let last = joined.indices.last else {
                joined.append(line)
                isInside = line.hasSuffix("init(")
                continue
            }
            let code = line.drop { $0 == " " }
            isInside = !code.hasPrefix(")")
            joined[last] += isInside && !joined[last].hasSuffix("(") ? " " + code : code
        }
        return joined
    }

    private nonisolated(unsafe) static let typePattern =
        /^(?:public |open |final |nonisolated |indirect )*(class|struct|enum|extension) ([\w`.]+)[^{]*{/
    /// A property, the result of a leaf, or the parameters of an initializer.
    private nonisolated(unsafe) static let memberPattern =
        /^(?:@\w+ )*(?:public |nonisolated |override )*(?:var |typealias )?(`?\w+`?|init)(?:: | = |(?=\())([^{=].*?)(?: \{.*)?$/
}
