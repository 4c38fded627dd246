import Basics

/// A storage whose failures end no call.
///
/// After a failure it is not used for a while. What could not be removed is removed before anything is read.
final class FaultTolerantStorage: Sendable {
    private enum Work { case reading, writing, removing }

    private struct State {
        /// The ends of the pauses.
        var pauses: [Work: ContinuousClock.Instant] = [:]
        /// The work that has failed, and not succeeded since.
        var failed: Set<Work> = []
        /// The URLs whose responses are still to be removed.
        var pendingRemovals: Set<ResponseKey.URLDigest> = []
        var mustRemoveAll = false
    }

    /// With more pending URLs than this, everything is removed.
    private static let maxPendingRemovals = 1_000

    private let storage: any ResponseStorage
    private let pause: Duration
    private let onFailure: @Sendable (any Error) -> Void
    private let state = Locked(State())

    init(_ storage: any ResponseStorage, pause: Duration, onFailure: @escaping @Sendable (any Error) -> Void) {
        (self.storage, self.pause, self.onFailure) = (storage, pause, onFailure)
    }

    /// The stored responses; empty during a pause of reading.
    func responses(for key: ResponseKey) async -> [StoredResponse] { await read(key) ?? [] }

    /// The stored responses; `nil` if they cannot be read.
    private func read(_ key: ResponseKey) async -> [StoredResponse]? {
        guard isAvailable(.reading), await hasRemovedPending() else { return nil }
        let data = await attempt(.reading) { try await storage.data(for: key) }
        return data.map { $0.flatMap(StoredResponses.init)?.responses ?? [] }
    }

    /// Stores changed responses. If that fails, the old ones are removed, because they are out of date.
    func change(_ key: ResponseKey, _ change: ([StoredResponse]) -> [StoredResponse]) async {
        guard let old = await read(key) else { return addPendingRemoval(key.url) }
        if isAvailable(.writing) {
            let new = StoredResponses(change(old))
            let isStored: Void? = await attempt(.writing) { try await storage.store(new.bytes, for: key) }
            if isStored != nil { return }
        }
        if !old.isEmpty { await removeAll(for: key.url) }
    }

    /// Removes the responses for a URL, also during a pause. If that fails, it is done before the next read.
    func removeAll(for url: ResponseKey.URLDigest) async {
        let isRemoved: Void? = await attempt(.removing) { try await storage.removeAll(for: url) }
        guard isRemoved == nil else { return state.withLock { _ = $0.pendingRemovals.remove(url) } }
        addPendingRemoval(url)
    }

    private func addPendingRemoval(_ url: ResponseKey.URLDigest) {
        state.withLock { state in
            state.pendingRemovals.insert(url)
            guard state.pendingRemovals.count > Self.maxPendingRemovals else { return }
            (state.pendingRemovals, state.mustRemoveAll) = ([], true)
        }
    }

    /// Removes everything, also during a pause. If that fails, it is done before the next read.
    func removeAll() async {
        let isRemoved: Void? = await attempt(.removing) { try await storage.removeAll() }
        state.withLock { state in
            state.mustRemoveAll = isRemoved == nil
            if isRemoved != nil { state.pendingRemovals = [] }
        }
    }

    /// Removes what is pending, and returns whether nothing is pending any more.
    private func hasRemovedPending() async -> Bool {
        let (urls, mustRemoveAll) = state.withLock { ($0.pendingRemovals, $0.mustRemoveAll) }
        if mustRemoveAll {
            await removeAll()
        } else {
            for url in urls where isAvailable(.reading) { await removeAll(for: url) }
        }
        return state.withLock { $0.pendingRemovals.isEmpty && !$0.mustRemoveAll }
    }

    private func isAvailable(_ work: Work) -> Bool {
        state.withLock { $0.pauses[work].map { $0 <= .now } ?? true }
    }

    /// The result of `body`; `nil` if it fails.
    private func attempt<Value>(_ work: Work, _ body: () async throws -> Value) async -> Value? {
        do {
            let value = try await body()
            state.withLock { state in
                state.pauses[work] = nil
                state.failed.remove(work)
            }
            return value
        } catch {
            // A canceled call says nothing about the storage.
            if error is CancellationError || Task.isCancelled { return nil }
            let isFirst = state.withLock { state in
                let end = ContinuousClock.now + pause
                // What cannot be removed must not be read, and what cannot be read cannot be replaced.
                if work != .writing { state.pauses[.reading] = end }
                state.pauses[.writing] = end
                return state.failed.insert(work).inserted
            }
            if isFirst { onFailure(error) }
            return nil
        }
    }
}
