extension Sequence {
    /// The elements by a key, both in the order in which they come.
    func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var groups: [(key: Key, elements: [Element])] = []
        var places: [Key: Int] = [:]
        for element in self {
            let key = key(element)
            if let place = places[key] {
                groups[place].elements.append(element)
            } else {
                places[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }

    /// The first of equal elements, in their order.
    func unique() -> [Element] where Element: Hashable {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
