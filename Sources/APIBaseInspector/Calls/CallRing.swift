/// The newest calls: at most 500 with at most 16 MiB. The oldest go first.
struct CallRing: Sendable {
    /// A call, and the number of its last change.
    struct Item: Sendable {
        let tracker: CallTracker
        let version: Int
    }

    private static let maximumCount = 500
    private static let maximumSize = 16 << 20

    private var items: [Int: Item] = [:]
    /// The IDs of the calls, the oldest first.
    private var order: [Int] = []
    private var size = 0
    /// The number of the last change.
    private(set) var version = 0

    subscript(id: Int) -> CallTracker? { items[id]?.tracker }

    /// Stores a new or changed call.
    ///
    /// - Returns: The calls that had to go.
    mutating func put(_ tracker: CallTracker) -> [Item] {
        let call = tracker.call
        version += 1
        if let last = items.updateValue(Item(tracker: tracker, version: version), forKey: call.id) {
            size -= last.tracker.call.size
        } else {
            order.append(call.id)
        }
        size += call.size
        var gone: [Item] = []
        while order.count > Self.maximumCount || (size > Self.maximumSize && order.count > 1) {
            if let item = remove(order[0]) { gone.append(item) }
        }
        return gone
    }

    @discardableResult
    mutating func remove(_ id: Int) -> Item? {
        guard let item = items.removeValue(forKey: id) else { return nil }
        if let index = order.firstIndex(of: id) { order.remove(at: index) }
        size -= item.tracker.call.size
        return item
    }

    /// The calls that have changed after a change, in the order of their changes.
    func changes(after version: Int) -> [Item] {
        items.values.filter { $0.version > version }.sorted { $0.version < $1.version }
    }
}
