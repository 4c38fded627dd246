import Dispatch
import Foundation
import HTTPTransport
import Basics

/// What a recording has: the entries of its file, and those that are made now.
final class Tape: Sendable {
    /// An entry of the file.
    fileprivate struct Known {
        let entry: HAR.Entry
        let request: ComparableRequest
        var isUsed = false
    }

    fileprivate struct State {
        var known: [Known]
        /// What has been recorded, in the order in which it was started; nil as long as it is under way, and if it failed.
        var takes: [HAR.Entry?] = []
        var secrets = Secrets()
        var hasNews = false
    }

    /// What becomes of a request.
    enum Plan {
        case replay(HAR.Entry)
        case fail(RecordingError)
        case record
    }

    private let file: URL
    private let records: Bool
    private let redaction: Redaction
    private let criteria: Set<Recording.Criterion>
    private let allowsRepeats: Bool
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
        state = Locked(State(known: []))
        for entry in entries {
            let (request, found) = comparable(entry.request)
            state.withLock { state in
                state.known.append(Known(entry: entry, request: request))
                state.secrets.formUnion(found)
            }
        }
    }
}

// MARK: Replay

extension Tape {
    /// Decides about a request; the entry that answers it is used up by that.
    func plan(for request: HAR.Request, secretHeaders: Set<String>) -> Plan {
        let (request, found) = comparable(request, secretHeaders: secretHeaders)
        let secrets = remember(found)
        return state.withLock { state in
            let fitting = state.known.indices.filter {
                state.known[$0].answers && state.known[$0].request.differences(from: request, in: criteria).isEmpty
            }
            guard let index = fitting.first(where: { !state.known[$0].isUsed }) ?? (allowsRepeats ? fitting.last : nil)
            else {
                return records ? .record : .fail(.unmatched(unmatched(request, state.known).cleaned(of: secrets)))
            }
            state.known[index].isUsed = true
            let entry = state.known[index].entry
            guard !entry.lacksBody else {
                return .fail(.missingBody(file, entry: index + 1, size: entry.response.content.size))
            }
            return .replay(entry)
        }
    }

    private func unmatched(_ request: ComparableRequest, _ known: [Known]) -> UnmatchedRequest {
        let candidates = known.enumerated().filter(\.element.answers).map { index, known in
            let differences = known.request.differences(from: request, in: criteria)
            return UnmatchedRequest.Candidate(
                number: index + 1,
                request: known.request.description,
                isUsed: differences.isEmpty,
                differences: differences
            )
        }
        return UnmatchedRequest(
            recording: file.lastPathComponent,
            request: request.description,
            entryCount: candidates.count,
            nearest: Array(candidates.sorted { ($0.distance, $0.number) < ($1.distance, $1.number) }.prefix(3))
        )
    }

    /// The request as it is compared: without the values that are secret by their place.
    ///
    /// Where else one of them stands is left alone. A secret that was made up for a replay may be a word that the recorded
    /// request has in its path.
    private func comparable(
        _ request: HAR.Request,
        secretHeaders: Set<String> = []
    ) -> (ComparableRequest, found: Secrets) {
        var request = request
        var redactor = Redactor(redaction, secretHeaders: secretHeaders)
        redactor.redact(&request)
        return (ComparableRequest(request), redactor.secrets)
    }

    /// Remembers these secrets.
    ///
    /// - Returns: All that are known.
    private func remember(_ secrets: Secrets) -> Secrets {
        state.withLock { state in
            state.secrets.formUnion(secrets)
            return state.secrets
        }
    }
}

extension Tape.Known {
    /// Browsers write down what they have blocked, or what failed, with the status 0.
    fileprivate var answers: Bool { entry.response.status >= 100 }
}

extension HAR.Entry {
    /// Whether there was a body that the file does not have.
    fileprivate var lacksBody: Bool {
        response.content.text == nil && response.content.size > 0 && request.method.uppercased() != "HEAD"
            && !(300..<400).contains(response.status)
    }
}

// MARK: Recording

extension Tape {
    /// A place for what an exchange that is started now may bring.
    func begin() -> Int {
        state.withLock { state in
            if records { state.takes.append(nil) }
            return state.takes.count - 1
        }
    }

    /// Keeps what has been recorded, without its secrets.
    func keep(_ entry: HAR.Entry, at place: Int, secretHeaders: Set<String>) {
        var entry = entry
        var redactor = Redactor(redaction, secretHeaders: secretHeaders)
        redactor.redact(&entry)
        remember(redactor.secrets).remove(from: &entry)
        state.withLock { [entry] state in
            state.takes[place] = entry
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
            return state.hasNews ? state : nil
        }
        guard let snapshot else { return .success(()) }
        do throws(RecordingError) {
            try HAR(entries: snapshot.entries(redaction)).write(to: file)
            return .success(())
        } catch {
            state.withLock { $0.hasNews = true }
            return .failure(error)
        }
    }
}

extension Tape.State {
    /// Everything there is, the file's first, without any secret that was found in any of it.
    fileprivate func entries(_ redaction: Redaction) -> [HAR.Entry] {
        var secrets = secrets
        let known = known.map { known in
            var redactor = Redactor(redaction)
            var entry = known.entry
            redactor.redact(&entry)
            secrets.formUnion(redactor.secrets)
            return entry
        }
        return (known + takes.compactMap(\.self)).map { entry in
            var entry = entry
            secrets.remove(from: &entry)
            return entry
        }
    }
}
