/// A gate that is open until it is closed, and what waits before it.
public actor Gate {
    private var isOpen = true
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// How many wait.
    public var count: Int { waiting.count }

    /// Holds all later callers.
    public func close() { isOpen = false }

    /// Lets all go on.
    public func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func pass() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }
}
