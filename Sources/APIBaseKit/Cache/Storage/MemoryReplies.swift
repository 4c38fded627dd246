import Basics

/// Replies in memory, up to a limit in bytes: what was not used for longest goes first.
final class MemoryReplies: Sendable {
    private let limit: Int
    private let state = Locked(MemoryRepliesState())

    /// Memory for so many bytes: bodies, headers, and something for each reply are counted.
    init(bytes: Int) { limit = max(0, bytes) }

    /// The size of the kept replies, in bytes.
    var bytes: Int { state.withLock { $0.bytes } }

    /// The replies that were stored last; none if there are none, or if they had to go.
    func replies(for key: ResponseKey) -> [StoredReply] { state.withLock { $0.use(key) } ?? [] }

    /// Keeps replies in place of what was there. One that takes more than a quarter of the limit is not kept.
    func store(_ replies: [StoredReply], for key: ResponseKey) {
        var kept: [StoredReply] = []
        var size = 0
        for reply in replies {
            let count = reply.size
            guard count <= limit / 4 else { continue }
            kept.append(reply)
            size += count
        }
        // What goes is released when the lock has been given back.
        var gone: [MemoryRepliesState.Entry?] = []
        state.withLock { state in
            gone.append(state.remove(key))
            if !kept.isEmpty, size <= limit { state.add(MemoryRepliesState.Entry(key: key, replies: kept, size: size)) }
            while state.bytes > limit, let oldest = state.removeOldest() { gone.append(oldest) }
        }
    }

    /// Removes the replies of a URL, whoever they were for.
    func removeAll(for url: ResponseKey.URLDigest) {
        _ = state.withLock { state in state.keys(for: url).map { state.remove($0) } }
    }

    /// Removes everything.
    func removeAll() {
        _ = state.withLock { state in
            defer { state = MemoryRepliesState() }
            return state
        }
    }
}
