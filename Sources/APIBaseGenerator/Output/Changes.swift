import Foundation

/// The changes of a run, in words: what is gone, changed and new, and whether it breaks what calls the code.
struct Changes {
    private typealias Entry = GeneratedDeclarations.Entry

    private let isNothing: Bool
    private let old: [String: Entry]
    private let new: [String: Entry]
    private var changes: [(word: String, text: String, isBreaking: Bool)] = []

    init(_ plan: OutputFolder.Plan) {
        // Without earlier texts, all is new. What stands in both needs no reading.
        isNothing = plan.isEmpty || plan.old.isEmpty
        let (oldTexts, newTexts) = isNothing ? ([], []) : (Set(plan.old), Set(plan.new))
        old = GeneratedDeclarations(of: oldTexts.subtracting(newTexts)).entries
        new = GeneratedDeclarations(of: newTexts.subtracting(oldTexts)).entries
        // What is in a type that is gone or new needs no line.
        for (key, entry) in old where new[key] == nil && (old[entry.owner] == nil || new[entry.owner] != nil) {
            add("gone", key, isBreaking: true)
        }
        for (key, entry) in new {
            if let former = old[key] {
                if former != entry { compare(key, former, entry) }
            } else if new[entry.owner] == nil || old[entry.owner] != nil {
                addNew(key, entry)
            }
        }
    }

    private mutating func add(_ word: String, _ text: String, isBreaking: Bool) {
        changes.append((word, text, isBreaking))
    }

    private mutating func addNew(_ key: String, _ entry: Entry) {
        switch entry.kind {
        case .credentials: add("new", "\(key): \(entry.text)", isBreaking: Self.needsMore(entry.text, than: ""))
        // Values of it were `other` before.
        case .choice: add("new", "\(key), which a switch over all cases without a default needs", isBreaking: false)
        default: add("new", key, isBreaking: false)
        }
    }

    private mutating func compare(_ key: String, _ old: Entry, _ new: Entry) {
        let isBreaking: Bool
        switch (old.kind, new.kind) {
        case (.initializer, .initializer): return compareParameters(of: new.owner, old.text, new.text)
        case (.credentials, .credentials): isBreaking = Self.needsMore(new.text, than: old.text)
        case (.type, .type): isBreaking = !Self.words(old.text).isSubset(of: Self.words(new.text))
        // The same calls compile, and lead to what the document says now.
        case (.address, .address), (.constant, .constant): isBreaking = false
        default: isBreaking = true
        }
        add("changed", "\(key): \(old.text) → \(new.text)", isBreaking: isBreaking)
    }

    private mutating func compareParameters(of owner: String, _ oldList: String, _ newList: String) {
        let (former, latter) = (InitializerParameter.all(in: oldList), InitializerParameter.all(in: newList))
        // A member of this name has a change of its own, which says the same.
        func isMember(_ name: String) -> Bool { old["\(owner).\(name)"] != new["\(owner).\(name)"] }
        for parameter in former where !isMember(parameter.name) {
            let key = "\(owner).init(\(parameter.label):)"
            guard let other = latter.first(where: { $0.label == parameter.label }) else {
                add("gone", key, isBreaking: true)
                continue
            }
            guard other.text != parameter.text else { continue }
            let isAccepted = [parameter.type, "\(parameter.type)?"].contains(other.type)
            let isNeeded = parameter.value != nil && other.value == nil
            add("changed", "\(key): \(parameter.text) → \(other.text)", isBreaking: !isAccepted || isNeeded)
        }
        for parameter in latter where !former.contains(where: { $0.label == parameter.label }) {
            let isNeeded = parameter.value == nil
            guard isNeeded || !isMember(parameter.name) else { continue }
            add("new", "\(owner).init(\(parameter.label): \(parameter.text))", isBreaking: isNeeded)
        }
        let kept = former.map(\.label).filter(latter.map(\.label).contains)
        let order = latter.map(\.label).filter(kept.contains)
        guard order != kept else { return }
        let orders = "\(kept.joined(separator: ", ")) → \(order.joined(separator: ", "))"
        add("changed", "\(owner).init: the order \(orders)", isBreaking: true)
    }

    /// The promises in the head of a type. That of a leaf to be a `Request` is in its `ModelType` too.
    private static func words(_ head: String) -> Set<Substring> {
        Set(head.split { " ,:".contains($0) }).subtracting(["nonisolated", "indirect", "Request"])
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
        let (breaking, others) = (lines(isBreaking: true), lines(isBreaking: false))
        let step =
            !breaking.isEmpty
            ? "major (before 1.0.0, minor), since callers have to change"
            : !others.isEmpty ? "minor, since no caller has to change" : "patch, since callers see no change"
        return (breaking.isEmpty ? [] : ["Breaks callers:"]) + breaking
            + (others.isEmpty ? [] : ["Breaks no caller:"]) + others
            + ["The next version, by semantic versioning: \(step)."]
    }

    private func lines(isBreaking: Bool) -> [String] {
        ["gone", "changed", "new"].flatMap { word in
            let texts = changes.filter { $0.word == word && $0.isBreaking == isBreaking }.map(\.text).sorted()
            let limit = 30
            let more = texts.count > limit ? ["  … and \(texts.count - limit) more \(word)"] : []
            return texts.prefix(limit).map { "  \(word): \($0)" } + more
        }
    }
}
