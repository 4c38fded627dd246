/// The state that ``MemoryReplies`` keeps behind its lock.
struct MemoryRepliesState {
    struct Entry: Sendable {
        let key: ResponseKey
        let replies: [StoredReply]
        let size: Int
    }

    /// The size of all entries, in bytes.
    private(set) var bytes = 0

    private var entries = RecentlyUsed<Entry>()

    /// The places of the entries, by URL and by user.
    private var places: [ResponseKey.URLDigest: [String: Int]] = [:]

    /// The keys of a URL.
    func keys(for url: ResponseKey.URLDigest) -> [ResponseKey] {
        places[url, default: [:]].keys.map { ResponseKey(url: url, user: $0) }
    }

    /// The replies for a key, which are the last then that have to go; nil if there are none.
    mutating func use(_ key: ResponseKey) -> [StoredReply]? {
        guard let place = places[key.url]?[key.user] else { return nil }
        entries.use(place)
        return entries[place]?.replies
    }

    /// Adds an entry for a key that has none.
    mutating func add(_ entry: Entry) {
        bytes += entry.size
        places[entry.key.url, default: [:]][entry.key.user] = entries.add(entry)
    }

    /// Removes the entry for a key, and returns it; nil if there is none.
    mutating func remove(_ key: ResponseKey) -> Entry? {
        guard let place = places[key.url]?.removeValue(forKey: key.user), let entry = entries.remove(place) else {
            return nil
        }
        if places[key.url]?.isEmpty == true { places[key.url] = nil }
        bytes -= entry.size
        return entry
    }

    /// Removes the entry that was not used for longest, and returns it; nil if there is none.
    mutating func removeOldest() -> Entry? {
        guard let place = entries.oldest, let key = entries[place]?.key else { return nil }
        return remove(key)
    }
}
