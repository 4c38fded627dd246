import Basics

/// A storage that may fail: what has failed rests for a while, and nothing is read before what could not be removed is gone.
final class RestingStorage: Sendable {
    private enum Work { case reading, writing, removing }

    private struct State {
        /// Until when each rests.
        var rests: [Work: ContinuousClock.Instant] = [:]
        /// What has not worked since it failed.
        var failed: Set<Work> = []
        /// What is still to be removed.
        var owed: Set<ResponseKey.URLDigest> = []
        var owesAll = false
    }

    /// Of more URLs than that, everything is removed.
    private static let mostOwed = 1_000

    private let storage: any ResponseStorage
    private let rest: Duration
    private let onFailure: @Sendable (any Error) -> Void
    private let state = Locked(State())

    init(_ storage: any ResponseStorage, rest: Duration, onFailure: @escaping @Sendable (any Error) -> Void) {
        (self.storage, self.rest, self.onFailure) = (storage, rest, onFailure)
    }

    /// The replies that were stored last; none while reading rests.
    func replies(for key: ResponseKey) async -> [StoredReply] { await read(key) ?? [] }

    /// The same; `nil` if it is not known what is stored.
    private func read(_ key: ResponseKey) async -> [StoredReply]? {
        guard isAwake(.reading), await hasRemovedAll() else { return nil }
        let data = await attempt(.reading) { try await storage.data(for: key) }
        return data.map { $0.flatMap(StoredReplies.init)?.replies ?? [] }
    }

    /// Stores changed replies. Where they cannot be stored, the old ones go: they must not answer in their place.
    func change(_ key: ResponseKey, _ change: ([StoredReply]) -> [StoredReply]) async {
        // What is stored and cannot be seen is out of date now.
        guard let old = await read(key) else { return owe(key.url) }
        if isAwake(.writing) {
            let new = StoredReplies(change(old))
            let isStored: Void? = await attempt(.writing) { try await storage.store(new.bytes, for: key) }
            if isStored != nil { return }
        }
        if !old.isEmpty { await removeAll(for: key.url) }
    }

    /// Removes the replies of a URL, also while the storage rests; if that fails, before anything is read again.
    func removeAll(for url: ResponseKey.URLDigest) async {
        let isRemoved: Void? = await attempt(.removing) { try await storage.removeAll(for: url) }
        guard isRemoved == nil else { return state.withLock { _ = $0.owed.remove(url) } }
        owe(url)
    }

    /// Has the replies of a URL removed before anything is read again.
    private func owe(_ url: ResponseKey.URLDigest) {
        state.withLock { state in
            state.owed.insert(url)
            if state.owed.count > Self.mostOwed { (state.owed, state.owesAll) = ([], true) }
        }
    }

    /// Removes everything, also while the storage rests; if that fails, before anything is read again.
    func removeAll() async {
        let isRemoved: Void? = await attempt(.removing) { try await storage.removeAll() }
        state.withLock { state in
            state.owesAll = isRemoved == nil
            if isRemoved != nil { state.owed = [] }
        }
    }

    /// Removes what is still to be removed; whether that is done.
    private func hasRemovedAll() async -> Bool {
        let (owed, owesAll) = state.withLock { ($0.owed, $0.owesAll) }
        if owesAll {
            await removeAll()
        } else {
            for url in owed where isAwake(.reading) { await removeAll(for: url) }
        }
        return state.withLock { $0.owed.isEmpty && !$0.owesAll }
    }

    private func isAwake(_ work: Work) -> Bool {
        state.withLock { $0.rests[work].map { $0 <= .now } ?? true }
    }

    /// Works with the storage; `nil` if that fails.
    private func attempt<Value>(_ work: Work, _ body: () async throws -> Value) async -> Value? {
        do {
            let value = try await body()
            state.withLock { state in
                state.rests[work] = nil
                state.failed.remove(work)
            }
            return value
        } catch {
            // The call is over, not the storage.
            if error is CancellationError || Task.isCancelled { return nil }
            let isFirst = state.withLock { state in
                let end = ContinuousClock.now + rest
                // What cannot be read or removed is not written either; and what cannot be removed must not be read.
                if work != .writing { state.rests[.reading] = end }
                state.rests[.writing] = end
                return state.failed.insert(work).inserted
            }
            if isFirst { onFailure(error) }
            return nil
        }
    }
}
