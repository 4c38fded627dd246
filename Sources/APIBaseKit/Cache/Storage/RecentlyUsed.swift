/// Elements in the order in which they were used last. Each step costs the same, however many there are.
struct RecentlyUsed<Element> {
    private struct Slot {
        var element: Element?
        var older = 0
        var newer = 0
    }

    /// A ring: the first slot holds nothing, and stands between the newest and the oldest.
    private var slots = [Slot()]
    private var unused: [Int] = []

    /// The place of the least recently used element; nil if there is none.
    var oldest: Int? { slots[0].newer == 0 ? nil : slots[0].newer }

    /// The element at a place; nil if it was removed.
    subscript(place: Int) -> Element? { slots[place].element }

    /// Adds an element as the newest and returns its place, which stays until it is removed.
    mutating func add(_ element: Element) -> Int {
        let place = unused.popLast() ?? slots.count
        if place == slots.count { slots.append(Slot()) }
        slots[place].element = element
        link(place)
        return place
    }

    /// Makes the element at a place the newest.
    mutating func use(_ place: Int) {
        guard slots[0].older != place else { return }
        unlink(place)
        link(place)
    }

    /// Removes the element at a place, and returns it.
    mutating func remove(_ place: Int) -> Element? {
        guard let element = slots[place].element.take() else { return nil }
        unlink(place)
        unused.append(place)
        return element
    }

    private mutating func link(_ place: Int) {
        let newest = slots[0].older
        slots[place].older = newest
        slots[place].newer = 0
        slots[newest].newer = place
        slots[0].older = place
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (slots[place].older, slots[place].newer)
        slots[older].newer = newer
        slots[newer].older = older
    }
}
