import Basics
import Dispatch
import Foundation
import HTTPTransport

/// The entries of a recording: those of its file, and those that are made now.
final class RecordingStore: Sendable {
    fileprivate struct State {
        /// The new entries, in the order in which they were started; nil for one that is under way, or has failed.
        var recorded: [HAR.Entry?] = []
        var secrets = Secrets()
        var hasNews = false
        /// The indices of the entries of the file that have answered.
        var used: Set<Int> = []
        /// The number of candidates that have answered, at the beginning of a list, by the index of the list's first.
        var usedUp: [Int: Int] = [:]
    }

    private let file: URL
    let records: Bool
    private let redaction: Redaction
    private let criteria: Set<Recording.Criterion>
    private let allowsRepeats: Bool
    private let entries: [HAR.Entry]
    private let requests: [ComparableRequest]
    private let index: EntryIndex
    private let state: Locked<State>
    /// One save after the other, so that the later state is the one that stays.
    private let saving = DispatchQueue(label: "APIBaseStubs.Recording")

    init(
        _ entries: [HAR.Entry],
        of file: URL,
        records: Bool,
        redaction: Redaction,
        criteria: Set<Recording.Criterion>,
        allowsRepeats: Bool
    ) {
        self.file = file
        self.records = records
        self.redaction = redaction
        self.criteria = criteria
        self.allowsRepeats = allowsRepeats
        self.entries = entries
        var (state, index, requests) = (State(), EntryIndex(), [ComparableRequest]())
        for (number, entry) in entries.enumerated() {
            let (request, found) = Self.comparable(entry.request, redaction, [], criteria)
            state.secrets.formUnion(found)
            requests.append(request)
            if entry.answers { index.insert(number, request) }
        }
        (self.index, self.requests) = (index, requests)
        self.state = Locked(state)
    }
}

// MARK: Replay

extension RecordingStore {
    /// A request as it is compared: without the values that are secret by their place.
    ///
    /// Where else one of them stands is left alone. A secret that was made up for a replay may be a word that the recorded
    /// request has in its path.
    private static func comparable(
        _ request: HAR.Request,
        _ redaction: Redaction,
        _ secretHeaders: Set<String>,
        _ criteria: Set<Recording.Criterion>
    ) -> (ComparableRequest, found: Secrets) {
        var request = request
        var redactor = Redactor(redaction, secretHeaders: secretHeaders)
        redactor.redact(&request)
        return (ComparableRequest(request, in: criteria), redactor.secrets)
    }

    /// The same, of a request that is made now.
    func comparable(_ request: HAR.Request, secretHeaders: Set<String>) -> ComparableRequest {
        let (request, found) = Self.comparable(request, redaction, secretHeaders, criteria)
        if !found.isEmpty { state.withLock { $0.secrets.formUnion(found) } }
        return request
    }

    /// The entry that answers a request, which is used up by that; nil if there is none.
    func entry(for request: ComparableRequest) -> Result<HAR.Entry, RecordingError>? {
        let lists = index.candidates(for: request)
        let number = state.withLock { state -> Int? in
            let fresh = lists.compactMap { list in
                state.firstUnused(of: list) { requests[$0].answers(request) }
            }
            let repeated = allowsRepeats ? lists.joined().filter { requests[$0].answers(request) }.max() : nil
            guard let number = fresh.min() ?? repeated else { return nil }
            state.used.insert(number)
            return number
        }
        guard let number else { return nil }
        let entry = entries[number]
        guard !entry.lacksBody else {
            return .failure(.missingBody(file, entry: number + 1, size: entry.response.content.size))
        }
        return .success(entry)
    }

    /// Why a request has no answer.
    func refusal(of request: ComparableRequest) -> RecordingError {
        let answering = entries.indices.filter { entries[$0].answers }
        let candidates = answering.map { number in
            let differences = requests[number].differences(from: request)
            return UnmatchedRequest.Candidate(
                number: number + 1,
                request: requests[number].description,
                isUsed: differences.isEmpty,
                differences: differences
            )
        }
        let unmatched = UnmatchedRequest(
            recording: file.lastPathComponent,
            request: request.description,
            entryCount: candidates.count,
            nearest: candidates.nearest { $0.differences.reduce(0) { $0 + $1.distance } }
        )
        return .unmatched(unmatched.cleaned(of: state.withLock { $0.secrets }))
    }
}

extension RecordingStore.State {
    /// The first of the numbers that has not answered yet and fits. Those that have are passed over once and for all.
    fileprivate mutating func firstUnused(of list: [Int], if fits: (Int) -> Bool) -> Int? {
        guard let first = list.first else { return nil }
        var start = usedUp[first, default: 0]
        while start < list.count, used.contains(list[start]) { start += 1 }
        usedUp[first] = start
        return list[start...].first { !used.contains($0) && fits($0) }
    }
}

extension HAR.Entry {
    /// Browsers write down what they have blocked, or what failed, with the status 0.
    fileprivate var answers: Bool { response.status >= 100 }

    /// Whether there was a body that the file does not have.
    fileprivate var lacksBody: Bool {
        response.content.text == nil && response.content.size > 0 && request.method.uppercased() != "HEAD"
            && !(300..<400).contains(response.status)
    }
}

// MARK: Recording

extension RecordingStore {
    /// A place for what an exchange that is started now may bring.
    func begin() -> Int {
        state.withLock { state in
            state.recorded.append(nil)
            return state.recorded.count - 1
        }
    }

    /// Keeps what has been recorded, without its own secrets; those of others are removed when it is written.
    func keep(_ entry: HAR.Entry, at place: Int, secretHeaders: Set<String>) {
        var entry = entry
        var redactor = Redactor(redaction, secretHeaders: secretHeaders)
        redactor.redact(&entry)
        redactor.secrets.remove(from: &entry)
        state.withLock { [entry, found = redactor.secrets] state in
            state.recorded[place] = entry
            state.secrets.formUnion(found)
            state.hasNews = true
        }
    }

    /// Writes the file, if there is anything new.
    func save() throws(RecordingError) {
        try saving.sync { saveNews() }.get()
    }

    private func saveNews() -> Result<Void, RecordingError> {
        let snapshot = state.withLock { state in
            defer { state.hasNews = false }
            return state.hasNews ? (state.recorded, state.secrets) : nil
        }
        guard let (recorded, secrets) = snapshot else { return .success(()) }
        do throws(RecordingError) {
            try HAR(entries: clean(recorded.compactMap(\.self), secrets)).write(to: file)
            return .success(())
        } catch {
            state.withLock { $0.hasNews = true }
            return .failure(error)
        }
    }

    /// Everything there is, the file's first, without any secret that was found in any of it.
    private func clean(_ recorded: [HAR.Entry], _ secrets: Secrets) -> [HAR.Entry] {
        var secrets = secrets
        let known = entries.map { entry in
            var redactor = Redactor(redaction)
            var entry = entry
            redactor.redact(&entry)
            secrets.formUnion(redactor.secrets)
            return entry
        }
        return (known + recorded).map { entry in
            var entry = entry
            secrets.remove(from: &entry)
            return entry
        }
    }
}
