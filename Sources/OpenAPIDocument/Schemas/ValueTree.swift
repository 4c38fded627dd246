/// A value and all values in it, numbered so that the children of each are neighbors.
struct ValueTree: Sendable {
    private(set) var values: [JSON]
    private var parents = [-1]
    private var firstChildren: [Int] = []
    /// The names of members as values, by their numbers: which child of the parent has the name.
    private var names: [Int: Int] = [:]
    /// Whether a value is in more than 40 others.
    private(set) var isDeep = false

    init(_ value: JSON) {
        values = [value]
        var (place, level, levelEnd) = (0, 0, 1)
        while place < values.count {
            if place == levelEnd { (level, levelEnd) = (level + 1, values.count) }
            firstChildren.append(values.count)
            let children = values[place].children
            values += children
            parents += repeatElement(place, count: children.count)
            place += 1
        }
        isDeep = level > 40
    }

    /// The numbers of the elements or members of a value.
    func children(of place: Int) -> Range<Int> {
        let first = firstChildren[place]
        return first..<first + values[place].children.count
    }

    func parent(of place: Int) -> Int { parents[place] }

    /// The number of the name of a member, as a value of its own.
    mutating func addName(_ index: Int, of object: Int, _ name: String) -> Int {
        values.append(.string(name))
        parents.append(object)
        firstChildren.append(values.count)
        names[values.count - 1] = index
        return values.count - 1
    }

    func isName(_ place: Int) -> Bool { names[place] != nil }

    /// The JSON pointer of a value, as a fragment.
    func pointer(to place: Int) -> String {
        var parts: [String] = []
        var place = place
        while parents[place] >= 0 {
            let parent = parents[place]
            let index = names[place] ?? place - firstChildren[parent]
            parts.append(values[parent].object.map { $0.names[index].escapedForPointer } ?? String(index))
            place = parent
        }
        return (["#"] + parts.reversed()).joined(separator: "/")
    }
}
