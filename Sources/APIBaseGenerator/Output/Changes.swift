import Foundation

/// The changes of a run, in words: what is gone, changed and new, and whether it breaks what calls the code.
struct Changes {
    private typealias Change = (word: String, text: String)

    private var breaking: [Change] = []
    private var others: [Change] = []
    private let isNothing: Bool

    init(_ plan: OutputFolder.Plan) {
        // Without earlier texts, all is new.
        isNothing = plan.isEmpty || plan.old.isEmpty
        guard !isNothing else { return }
        // What stands in both needs no reading.
        let (oldTexts, newTexts) = (Set(plan.old), Set(plan.new))
        let old = GeneratedDeclarations(of: plan.old.filter { !newTexts.contains($0) }).entries
        let new = GeneratedDeclarations(of: plan.new.filter { !oldTexts.contains($0) }).entries
        for (key, entry) in old where new[key] == nil {
            // What is in a type that is gone needs no line.
            if old[entry.owner] == nil || new[entry.owner] != nil { add("gone", key, isBreaking: true) }
        }
        for (key, entry) in new {
            if let former = old[key] {
                if former != entry { compare(key, former, entry, isMember: { old[$0] != new[$0] }) }
            } else if new[entry.owner] == nil || old[entry.owner] != nil {
                switch entry.kind {
                case .credentials:
                    add("new", "\(key): \(entry.text)", isBreaking: Self.needsMore(entry.text, than: ""))
                // Values of it were `other` before.
                case .choice:
                    add("new", "\(key), which a switch over all cases without a default needs", isBreaking: false)
                default: add("new", key, isBreaking: false)
                }
            }
        }
    }

    private typealias Entry = GeneratedDeclarations.Entry

    private mutating func add(_ word: String, _ text: String, isBreaking: Bool) {
        if isBreaking { breaking.append((word, text)) } else { others.append((word, text)) }
    }

    private mutating func compare(_ key: String, _ old: Entry, _ new: Entry, isMember isChanged: (String) -> Bool) {
        let text = "\(key): \(old.text) → \(new.text)"
        switch (old.kind, new.kind) {
        case (.initializer, .initializer): compareParameters(of: new.owner, old.text, new.text, isMember: isChanged)
        case (.credentials, .credentials):
            add("changed", text, isBreaking: Self.needsMore(new.text, than: old.text))
        // The same calls compile, and lead to what the document says now.
        case (.address, .address), (.constant, .constant): add("changed", text, isBreaking: false)
        default: add("changed", text, isBreaking: true)
        }
    }

    /// `isChanged` tells whether the member of a name has a change of its own, which says the same.
    private mutating func compareParameters(
        of owner: String,
        _ old: String,
        _ new: String,
        isMember isChanged: (String) -> Bool
    ) {
        let (old, new) = (Parameters(old).all, Parameters(new).all)
        for parameter in old where !isChanged("\(owner).\(parameter.name)") {
            let key = "\(owner).init(\(parameter.label):)"
            guard let other = new.first(where: { $0.label == parameter.label }) else {
                add("gone", key, isBreaking: true)
                continue
            }
            guard (other.type, other.value) != (parameter.type, parameter.value) else { continue }
            let isAccepted = other.type == parameter.type || other.type == "\(parameter.type)?"
            let isNeeded = parameter.value != nil && other.value == nil
            add("changed", "\(key): \(parameter.text) → \(other.text)", isBreaking: !isAccepted || isNeeded)
        }
        for parameter in new where !old.contains(where: { $0.label == parameter.label }) {
            let isNeeded = parameter.value == nil
            guard isNeeded || !isChanged("\(owner).\(parameter.name)") else { continue }
            add("new", "\(owner).init(\(parameter.label): \(parameter.text))", isBreaking: isNeeded)
        }
        let kept = old.map(\.label).filter { label in new.contains { $0.label == label } }
        let order = new.map(\.label).filter(kept.contains)
        guard order != kept else { return }
        let orders = [kept, order].map { $0.joined(separator: ", ") }
        add("changed", "\(owner).init: the order \(orders[0]) → \(orders[1])", isBreaking: true)
    }

    /// Whether calls have to show something that did not do before.
    private static func needsMore(_ new: String, than old: String) -> Bool {
        func ways(_ text: String) -> [String: Set<String>] {
            let pairs = text.components(separatedBy: "; ").map { $0.components(separatedBy: " = ") }
            return Dictionary(pairs.map { ($0[0], Set(($0.last ?? "").components(separatedBy: " ?? "))) }) { $1 }
        }
        let former = ways(old)
        return ways(new).contains { target, values in
            values != ["nil"] && former[target].map { !$0.isSubset(of: values) } ?? true
        }
    }

    /// The lines to print; none if nothing has changed, or if everything is new.
    var lines: [String] {
        guard !isNothing else { return [] }
        let step =
            !breaking.isEmpty
            ? "major (before 1.0.0, minor), since callers have to change"
            : !others.isEmpty ? "minor, since no caller has to change" : "patch, since callers see no change"
        return Self.group("Breaks callers:", breaking) + Self.group("Breaks no caller:", others)
            + ["The next version, by semantic versioning: \(step)."]
    }

    private static func group(_ title: String, _ changes: [Change]) -> [String] {
        guard !changes.isEmpty else { return [] }
        return [title]
            + ["gone", "changed", "new"].flatMap { word in
                let items = changes.filter { $0.word == word }.map(\.text).sorted()
                let limit = 30
                let more = items.count > limit ? ["  … and \(items.count - limit) more \(word)"] : []
                return items.prefix(limit).map { "  \(word): \($0)" } + more
            }
    }
}
