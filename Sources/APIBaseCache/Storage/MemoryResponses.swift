import Basics

/// Responses in memory, up to a limit in bytes. The least recently used ones are removed first.
final class MemoryResponses: Sendable {
    private let limit: Int
    private let state = Locked(State())

    /// Counts bodies, headers, and an overhead for each response toward the limit.
    init(bytes: Int) { limit = max(0, bytes) }

    /// The size of the stored responses, in bytes.
    var bytes: Int { state.withLock { $0.bytes } }

    /// The stored responses, if any.
    func responses(for key: ResponseKey) -> [StoredResponse] { state.withLock { $0.use(key) } ?? [] }

    /// Stores responses in place of those for the key. A response that takes more than a quarter of the limit is not
    /// kept.
    func store(_ responses: [StoredResponse], for key: ResponseKey) {
        let sized = responses.map { ($0, $0.size) }.filter { $0.1 <= limit / 4 }
        let entry = State.Entry(key: key, responses: sized.map(\.0), size: sized.reduce(0) { $0 + $1.1 })
        // Released after the lock.
        var removed: [State.Entry?] = []
        state.withLock { state in
            removed.append(state.remove(key))
            if !sized.isEmpty, entry.size <= limit { state.add(entry) }
            while state.bytes > limit, let oldest = state.removeOldest() { removed.append(oldest) }
        }
    }

    /// Removes the responses for a URL, of all users.
    func removeAll(for url: ResponseKey.URLDigest) {
        _ = state.withLock { state in state.keys(for: url).map { state.remove($0) } }
    }

    /// Removes everything.
    func removeAll() {
        _ = state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}

extension MemoryResponses {
    private struct State {
        struct Entry {
            let key: ResponseKey
            let responses: [StoredResponse]
            let size: Int
        }

        /// The size of all entries, in bytes.
        private(set) var bytes = 0

        private var entries = LRUList<Entry>()

        /// The places of the entries in the list, by URL and user.
        private var places: [ResponseKey.URLDigest: [String: Int]] = [:]

        func keys(for url: ResponseKey.URLDigest) -> [ResponseKey] {
            places[url, default: [:]].keys.map { ResponseKey(url: url, user: $0) }
        }

        /// The responses for a key, which becomes the most recently used one; nil if nothing is stored.
        mutating func use(_ key: ResponseKey) -> [StoredResponse]? {
            places[key.url]?[key.user].flatMap { entries.use($0) }?.responses
        }

        /// Adds an entry. There must be none for its key.
        mutating func add(_ entry: Entry) {
            bytes += entry.size
            places[entry.key.url, default: [:]][entry.key.user] = entries.add(entry)
        }

        mutating func remove(_ key: ResponseKey) -> Entry? {
            guard let place = places[key.url]?.removeValue(forKey: key.user), let entry = entries.remove(place) else {
                return nil
            }
            if places[key.url]?.isEmpty == true { places[key.url] = nil }
            bytes -= entry.size
            return entry
        }

        mutating func removeOldest() -> Entry? { entries.oldest.flatMap { remove($0.key) } }
    }
}

/// Elements in the order of their last use. Each operation takes constant time.
private struct LRUList<Element> {
    private struct Slot {
        var element: Element?
        var older = 0
        var newer = 0
    }

    /// A ring. The first slot has no element: it is between the newest and the oldest one.
    private var slots = [Slot()]
    private var unused: [Int] = []

    /// The least recently used element; nil if the list is empty.
    var oldest: Element? { slots[slots[0].newer].element }

    /// Adds an element as the newest, and returns its place, which stays until it is removed.
    mutating func add(_ element: Element) -> Int {
        let place = unused.popLast() ?? slots.count
        if place == slots.count { slots.append(Slot()) }
        slots[place].element = element
        link(place)
        return place
    }

    /// The element at a place, which becomes the newest.
    mutating func use(_ place: Int) -> Element? {
        if slots[0].older != place {
            unlink(place)
            link(place)
        }
        return slots[place].element
    }

    mutating func remove(_ place: Int) -> Element? {
        guard let element = slots[place].element.take() else { return nil }
        unlink(place)
        unused.append(place)
        return element
    }

    private mutating func link(_ place: Int) {
        let newest = slots[0].older
        (slots[place].older, slots[place].newer) = (newest, 0)
        slots[newest].newer = place
        slots[0].older = place
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (slots[place].older, slots[place].newer)
        slots[older].newer = newer
        slots[newer].older = older
    }
}

extension StoredResponse {
    /// The approximate size in memory, in bytes.
    var size: Int {
        // Estimates for a response without its texts and body, and for a field without its texts.
        let (overhead, fieldOverhead) = (512, 64)
        let headers = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + fieldOverhead }
        let varying = varying.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.count ?? 0) + fieldOverhead }
        return overhead + headers + varying + body.count
    }
}
