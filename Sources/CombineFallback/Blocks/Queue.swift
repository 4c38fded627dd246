/// First in, first out, at a constant average cost.
@usableFromInline struct Queue<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    @inlinable init() {}

    @inlinable var isEmpty: Bool { head == elements.count }
    @inlinable var count: Int { elements.count - head }

    @inlinable mutating func append(_ element: Element) { elements.append(element) }

    @inlinable mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 32, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
