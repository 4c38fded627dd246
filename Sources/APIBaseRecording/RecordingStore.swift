import APIBaseKit
import APIBaseStubs
import Basics
import Dispatch
import Foundation
import HTTPTransport

/// The entries of a recording: those of its file, and new ones.
final class RecordingStore: Sendable {
    struct Rules: Sendable {
        var redaction = RedactionRules.default
        var criteria = Set<Recording.Criterion>.default
        var allowsRepeats = false
    }

    fileprivate struct State {
        /// The new entries, in the order in which their hops started; nil for one that has not ended, or has failed.
        var recorded: [HAR.Entry?] = []
        var secrets = Secrets()
        var hasUnsavedEntries = false
        /// Insert the entries of sockets.
        var sockets: [@Sendable (RecordingStore) -> Void] = []
        /// The indices of the entries of the file that have answered.
        var used: Set<Int> = []
        /// The number of used candidates at the beginning of a list, by the index of the list's first candidate.
        var usedPrefixes: [Int: Int] = [:]
    }

    let file: URL
    let records: Bool
    let rules: Rules
    private let entries: [HAR.Entry]
    private let requests: [ComparableRequest]
    private let index: EntryIndex
    private let state: Locked<State>
    /// Saves one after the other, so that the latest state is the one that stays.
    private let saving = DispatchQueue(label: "APIBaseRecording.save")

    init(_ entries: [HAR.Entry], of file: URL, records: Bool, rules: Rules = Rules()) {
        (self.file, self.records, self.rules, self.entries) = (file, records, rules, entries)
        var (state, index, requests) = (State(), EntryIndex(), [ComparableRequest]())
        for (number, entry) in entries.enumerated() {
            let (request, found) = Self.comparable(entry.request, [], rules)
            state.secrets.formUnion(found)
            requests.append(request)
            if entry.hasResponse { index.insert(number, request) }
        }
        (self.index, self.requests) = (index, requests)
        self.state = Locked(state)
    }
}

// MARK: Replay

extension RecordingStore {
    /// A request for comparison, without the values that are secret by their name or place, and those values.
    ///
    /// Other places that contain one of the values stay as they are. A made-up secret in a replay may be an ordinary
    /// word that the recorded request has in its path.
    private static func comparable(
        _ request: HAR.Request,
        _ secretHeaders: Set<String>,
        _ rules: Rules
    ) -> (ComparableRequest, found: Secrets) {
        var request = request
        var redactor = Redactor(rules.redaction, secretHeaders: secretHeaders, removesKnown: false)
        redactor.redact(&request)
        return (ComparableRequest(request, in: rules.criteria), redactor.secrets)
    }

    /// The secrets that are known so far.
    var secrets: Secrets { state.withLock { $0.secrets } }

    func comparable(_ request: HAR.Request, secretHeaders: Set<String>) -> ComparableRequest {
        let (request, found) = Self.comparable(request, secretHeaders, rules)
        if !found.isEmpty { state.withLock { $0.secrets.formUnion(found) } }
        return request
    }

    /// The entry that answers a request, or nil. The entry is used from then on.
    func entry(for request: ComparableRequest) -> Result<HAR.Entry, RecordingError>? {
        let lists = index.candidates(for: request)
        let number = state.withLock { state -> Int? in
            let unused = lists.compactMap { list in
                state.firstUnused(of: list) { requests[$0].answers(request) }
            }
            let repeated = rules.allowsRepeats ? lists.joined().filter { requests[$0].answers(request) }.max() : nil
            guard let number = unused.min() ?? repeated else { return nil }
            state.used.insert(number)
            return number
        }
        guard let number else { return nil }
        let entry = entries[number]
        if let problem = entry.response.content.problem {
            return .failure(.wrongShape(file, key: "log.entries[\(number)].response.content.text", problem: problem))
        }
        guard !entry.lacksBody else {
            return .failure(.missingBody(file, entry: number + 1, size: entry.response.content.size))
        }
        return .success(entry)
    }

    func unmatched(_ request: ComparableRequest) -> RecordingError {
        let secrets = secrets
        let candidates = entries.indices.filter { entries[$0].hasResponse }.map { number in
            (number, differences: requests[number].differences(from: request))
        }
        let nearest = candidates.nearest { $0.differences.reduce(0) { $0 + $1.distance } }.map { number, differences in
            UnmatchedRequest.Candidate(
                number: number + 1,
                request: secrets.removed(from: requests[number].description),
                isUsed: differences.isEmpty,
                differences: differences.map(secrets.removed)
            )
        }
        return .unmatched(
            UnmatchedRequest(
                recording: file.lastPathComponent,
                request: secrets.removed(from: request.description),
                entryCount: candidates.count,
                passedOver: entries.indices.filter { !entries[$0].hasResponse }.map { $0 + 1 },
                nearest: nearest
            )
        )
    }
}

extension RecordingStore.State {
    /// The first index of the list that is unused and matches. Later calls skip the used ones at its beginning.
    fileprivate mutating func firstUnused(of list: [Int], if matches: (Int) -> Bool) -> Int? {
        guard let first = list.first else { return nil }
        var start = usedPrefixes[first, default: 0]
        while start < list.count, used.contains(list[start]) { start += 1 }
        usedPrefixes[first] = start
        return list[start...].first { !used.contains($0) && matches($0) }
    }
}

// MARK: Recording

extension RecordingStore {
    func reserveSlot() -> Int {
        state.withLock { state in
            state.recorded.append(nil)
            return state.recorded.count - 1
        }
    }

    /// Stores an entry without its own secrets. Those of other entries are removed when the file is written.
    func insert(_ entry: HAR.Entry, at slot: Int, secretHeaders: Set<String>) {
        var entry = entry
        var redactor = Redactor(rules.redaction, secretHeaders: secretHeaders)
        redactor.redact(&entry)
        redactor.secrets.remove(from: &entry)
        state.withLock { [entry, found = redactor.secrets] state in
            state.hasUnsavedEntries = state.hasUnsavedEntries || state.recorded[slot] != entry
            state.recorded[slot] = entry
            state.secrets.formUnion(found)
        }
    }

    /// Has an entry inserted whenever the file is about to be written.
    func beforeSave(_ insert: @escaping @Sendable (RecordingStore) -> Void) {
        state.withLock { $0.sockets.append(insert) }
    }

    func save() throws(RecordingError) {
        for insert in state.withLock({ $0.sockets }) { insert(self) }
        try saving.sync { saveNewEntries() }.get()
    }

    private func saveNewEntries() -> Result<Void, RecordingError> {
        let snapshot = state.withLock { state in
            defer { state.hasUnsavedEntries = false }
            return state.hasUnsavedEntries ? (state.recorded, state.secrets) : nil
        }
        guard let (recorded, secrets) = snapshot else { return .success(()) }
        do throws(RecordingError) {
            try HAR(entries: withoutSecrets(recorded.compactMap(\.self), secrets)).write(to: file)
            return .success(())
        } catch {
            state.withLock { $0.hasUnsavedEntries = true }
            return .failure(error)
        }
    }

    /// The entries of the file and then the new ones, without any secret that was found in one of them.
    private func withoutSecrets(_ recorded: [HAR.Entry], _ secrets: Secrets) -> [HAR.Entry] {
        let (known, all) = HAR(entries: entries).entriesWithoutSecrets(rules.redaction, and: secrets)
        return known
            + recorded.map { entry in
                var entry = entry
                all.remove(from: &entry)
                return entry
            }
    }
}
