/// Names that are different from each other.
struct NameTable {
    private var taken: Set<String>
    private let ignoresCase: Bool
    /// The last number after each name.
    private var numbers: [String: Int] = [:]

    /// A table that ignores case is for names that are those of files too.
    init(taken: Set<String> = [], ignoringCase ignoresCase: Bool = false) {
        self.ignoresCase = ignoresCase
        self.taken = ignoresCase ? Set(taken.map { $0.lowercased() }) : taken
    }

    func contains(_ name: String) -> Bool { taken.contains(key(name)) }

    /// The name, or if it is taken the first of `name2`, `name3`, …, or `v1_2`, that is not. It is taken then.
    /// Nor is it one of the others.
    mutating func take(_ name: String, except others: Set<String> = []) -> String {
        var (free, number) = (name, numbers[key(name)] ?? 1)
        while contains(free) || others.contains(free) {
            number += 1
            // A number after another one would read as one.
            free = name.last?.isNumber == true ? "\(name)_\(number)" : "\(name)\(number)"
        }
        if number > 1 { numbers[key(name)] = number }
        taken.insert(key(free))
        return free
    }

    private func key(_ name: String) -> String { ignoresCase ? name.lowercased() : name }
}
