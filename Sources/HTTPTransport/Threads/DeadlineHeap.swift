/// A binary heap of deadlines, the earliest first. Removed entries are dropped once they are half of it.
struct DeadlineHeap {
    private var last: UInt64 = 0
    private var clients: [UInt64: any DeadlineTimer.Client] = [:]
    private var entries: [(deadline: UInt64, number: UInt64)] = []

    var count: Int { clients.count }

    var next: UInt64? { entries.first?.deadline }

    mutating func insert(_ client: any DeadlineTimer.Client, at deadline: UInt64) -> UInt64 {
        last += 1
        clients[last] = client
        push((deadline, last))
        return last
    }

    /// Removes a deadline; nil if it has been reached.
    mutating func remove(_ number: UInt64) -> (any DeadlineTimer.Client)? {
        guard let client = clients.removeValue(forKey: number) else { return nil }
        if entries.count > 64, entries.count > clients.count * 2 {
            entries = entries.filter { clients[$0.number] != nil }.sorted { $0.deadline < $1.deadline }
        }
        return client
    }

    /// Removes and returns the clients whose deadlines are reached.
    mutating func takeDue(at now: UInt64) -> [any DeadlineTimer.Client] {
        var due: [any DeadlineTimer.Client] = []
        while let first = entries.first {
            let isSet = clients[first.number] != nil
            if isSet, first.deadline > now { break }
            if isSet, let client = clients.removeValue(forKey: first.number) { due.append(client) }
            pop()
        }
        return due
    }

    private mutating func push(_ entry: (deadline: UInt64, number: UInt64)) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0, entries[child].deadline < entries[(child - 1) / 2].deadline {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func pop() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].deadline < entries[least].deadline {
                least = child
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
