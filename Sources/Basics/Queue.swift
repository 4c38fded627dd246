/// A first-in, first-out queue in one array, with constant amortized cost.
@usableFromInline
package struct Queue<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    /// Creates an empty queue.
    @inlinable package init() {}

    /// Whether there is no element.
    @inlinable package var isEmpty: Bool { head == elements.count }

    /// The number of elements.
    @inlinable package var count: Int { elements.count - head }

    /// The element that came first, or nil.
    @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

    /// The element that came last, or nil.
    @inlinable package var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

    /// Adds an element at the end.
    @inlinable package mutating func append(_ element: Element) {
        // A second element often follows.
        if elements.capacity == 0 { elements.reserveCapacity(2) }
        elements.append(element)
    }

    /// Removes and returns the element that came first, or nil.
    @inlinable package mutating func popFirst() -> Element? {
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

    /// Removes the element that came last, if any.
    @inlinable package mutating func removeLast() {
        if !isEmpty { elements.removeLast() }
    }

    /// Removes the elements that are not wanted; the others keep their order.
    @inlinable package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map { !isUnwanted($0) } ?? false }
        head = 0
    }
}
