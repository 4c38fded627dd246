extension Sequence {
    /// The elements by a key, both in the order in which they come.
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        let groups = Dictionary(grouping: self, by: key)
        return map(key).unique().map { ($0, groups[$0] ?? []) }
    }

    /// The first of equal elements, in their order.
    package func unique() -> [Element] where Element: Hashable {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
