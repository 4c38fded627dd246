import Basics
import Dispatch

/// The calls for the pages. Each page reads at its own pace, and never delays the program or another page.
final class CallFeed: Sendable {
    /// The news for a page.
    struct News: Sendable {
        /// The new and changed calls.
        var calls: [CallRing.Item] = []
        /// The number of calls that were removed before the page had their last change.
        var lost = 0
    }

    fileprivate struct Reader {
        /// The last change that the page has.
        var version: Int
        var lost = 0
        /// Whether the semaphore has been signaled since the last read.
        var isSignaled = false
        let semaphore = DispatchSemaphore(value: 0)
    }

    fileprivate struct State {
        var ring = CallRing()
        var readers: [Int: Reader] = [:]
        var lastReader = 0
        var isClosed = false
    }

    private let state = Locked(State())

    /// Changes a call, or adds it if `change` gets `nil`. Calls of this method come one after the other. `change` runs
    /// without the lock. If it returns `nil`, nothing changes.
    func update(_ id: Int, _ change: (CallTracker?) -> CallTracker?) {
        let tracker = change(state.withLock { $0.ring[id] })
        let sleeping = state.withLock { state -> [DispatchSemaphore] in
            guard !state.isClosed, let tracker else { return [] }
            for item in state.ring.put(tracker) { state.lose(item) }
            return state.readersToWake()
        }
        for semaphore in sleeping { semaphore.signal() }
    }

    /// Counts calls whose events were left out and that are not in the list, for the open pages.
    func lose(_ count: Int) {
        guard count > 0 else { return }
        let sleeping = state.withLock { state in
            for reader in state.readers.keys { state.readers[reader]?.lost += count }
            return state.readersToWake()
        }
        for semaphore in sleeping { semaphore.signal() }
    }

    /// Adds a page that has all changes up to `version`. Returns its number.
    func open(after version: Int) -> Int {
        state.withLock { state in
            state.lastReader += 1
            var reader = Reader(version: min(version, state.ring.version))
            if reader.version < state.ring.version {
                reader.isSignaled = true
                reader.semaphore.signal()
            }
            state.readers[state.lastReader] = reader
            return state.lastReader
        }
    }

    /// Forgets a page.
    func close(_ reader: Int) { state.withLock { _ = $0.readers.removeValue(forKey: reader) } }

    /// Waits for news, at most as long as given. Returns `nil` if the feed has ended.
    func next(for reader: Int, within limit: DispatchTimeInterval) -> News? {
        guard let semaphore = state.withLock({ $0.readers[reader]?.semaphore }) else { return nil }
        _ = semaphore.wait(timeout: .now() + limit)
        return state.withLock { $0.news(for: reader) }
    }

    /// Ends the feed for all pages, and forgets the calls.
    func end() {
        let semaphores = state.withLock { state in
            state.isClosed = true
            state.ring = CallRing()
            return state.readers.values.map(\.semaphore)
        }
        for semaphore in semaphores { semaphore.signal() }
    }
}

extension CallFeed.State {
    fileprivate mutating func lose(_ item: CallRing.Item) {
        for (id, reader) in readers where reader.version < item.version { readers[id]?.lost += 1 }
    }

    fileprivate mutating func readersToWake() -> [DispatchSemaphore] {
        readers.filter { !$0.value.isSignaled }.map { id, reader in
            readers[id]?.isSignaled = true
            return reader.semaphore
        }
    }

    fileprivate mutating func news(for id: Int) -> CallFeed.News? {
        guard !isClosed, var reader = readers[id] else { return nil }
        let news = CallFeed.News(calls: ring.changes(after: reader.version), lost: reader.lost)
        (reader.version, reader.lost, reader.isSignaled) = (ring.version, 0, false)
        readers[id] = reader
        return news
    }
}
