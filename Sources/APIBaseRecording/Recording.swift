public import Foundation
public import HTTPTransport
public import APIBaseKit
import Basics

/// Records what a real server answers in a file, and replays it from there.
///
/// The file has the format HAR 1.2, which browsers also export. Secrets are removed before anything is stored
/// (``/APIBaseKit/RedactionRules``), so the file can be committed.
///
/// ```swift
/// let recording = try Recording(file: folder.appendingPathComponent("users.har"), mode: .once)
/// let users = try await recording.run {
///     try await UsersRequest().value()
/// }
/// ```
///
/// It applies to the calls that are started inside of ``run(isolation:_:)``, of any class and on any session. It can
/// also be the session of one request object or API class: `request.session = recording`. Only the network is replaced.
///
/// An entry is one hop: a redirect has its own entry. Each entry answers once, the first that matches before the
/// others, so a second call of the same URL gets the second answer. Headers keep their order, and bodies all their
/// bytes. A hop that fails before its response is complete is not recorded. A response that was not read to its end is
/// recorded as far as it was read.
public final class Recording: Sendable {
    /// The source of the answers, and the rule for what is written.
    public enum Mode: Sendable, Hashable {
        /// Answers from the file, which has to exist. A call that it does not answer fails. Nothing is written.
        case replay
        /// As ``replay`` if the file exists when the recording is created; otherwise everything goes to the network and
        /// is recorded.
        case once
        /// Answers from the file, and from the network what the file does not answer. That is added to the file.
        case new
        /// Answers from the network. The file is neither read nor written.
        case passThrough
    }

    /// A part of a request that has to match for an entry to answer it.
    ///
    /// Requests are compared after redaction, so a secret may differ from the recorded one.
    /// ``/APIBaseKit/RedactionRules/marker`` in a request of the file matches anything, also if it was written by hand.
    public enum Criterion: Sendable, Hashable {
        /// The method.
        case method
        /// Scheme, host and port.
        case origin
        /// The path, percent-encoded.
        case path
        /// The names and values of the query. Only the order of items with the same name matters. The query of the method
        /// `QUERY` is in its ``body``, which then has to match as well.
        case query
        /// The GraphQL operation in a body: its name, or its text if it has none, and the values of its variables.
        /// Other requests have none. One that is named in the URL is a part of the ``query``. An entry of the file
        /// without the body of its request answers any operation.
        case operation
        /// The values of the header with this name. The name is compared ignoring case.
        case header(String)
        /// The body. In JSON, the order of members and white space do not matter, and in a multipart body, the
        /// boundary.
        case body
    }

    /// The file.
    public let file: URL

    /// The source of the answers, and the rule for what is written.
    public let mode: Mode

    /// The names of secrets, which are not written.
    public let redaction: RedactionRules

    package let network: (any HTTPSession)?
    let store: RecordingStore

    /// Creates a recording in a file.
    ///
    /// - Parameters:
    ///   - file: A file in the format HAR. Missing folders are created when it is written.
    ///   - mode: The source of the answers, and the rule for what is written.
    ///   - network: The session for requests that the file does not answer. If it is `nil`, a call in
    ///     ``run(isolation:_:)`` uses the session it would have used without the recording, and any other uses
    ///     `DefaultSession.shared`.
    ///   - redaction: The names of secrets, which are not written.
    ///   - criteria: The parts of a request that have to match for an entry to answer it.
    ///   - allowsRepeats: Whether the last matching entry answers again when all have answered.
    /// - Throws: ``RecordingError`` if the file has to be read, and is missing, is not JSON, or is not a HAR file that
    ///   can be replayed.
    public init(
        file: URL,
        mode: Mode = .once,
        over network: (any HTTPSession)? = nil,
        redaction: RedactionRules = .default,
        matching criteria: Set<Criterion> = .default,
        allowsRepeats: Bool = false
    ) throws(RecordingError) {
        self.file = file
        self.mode = mode
        self.network = network
        self.redaction = redaction
        let exists = FileManager.default.fileExists(atPath: file.path)
        let entries =
            switch mode {
            case .replay: try HAR(contentsOf: file).log.entries
            case .once, .new: exists ? try HAR(contentsOf: file).log.entries : []
            case .passThrough: [HAR.Entry]()
            }
        let records = mode == .new || (mode == .once && !exists)
        let rules = RecordingStore.Rules(redaction: redaction, criteria: criteria, allowsRepeats: allowsRepeats)
        store = RecordingStore(entries, of: file, records: records, rules: rules)
    }

    /// Creates a recording that replaces the file when it is written.
    package init(replacing file: URL) {
        self.file = file
        mode = .new
        redaction = .default
        network = nil
        store = RecordingStore([], of: file, records: true)
    }

    /// Writes what has been recorded, either the whole file or nothing. Does nothing if there is nothing new.
    ///
    /// ``run(isolation:_:)`` calls it at its end. Calls that have not ended are missing until another `save()`. If two
    /// recordings write the same file, the last one wins.
    ///
    /// - Throws: ``RecordingError/unwritableFile(_:reason:)``.
    public func save() throws(RecordingError) {
        guard mode != .passThrough else { return }
        try store.save()
    }
}

extension Set<Recording.Criterion> {
    /// The method, the URL, and the operation of GraphQL.
    public static let `default`: Set = [.method, .origin, .path, .query, .operation]
}

extension Recording: CustomReflectable {
    /// The file and the mode: `dump` shows nothing of what was recorded.
    public var customMirror: Mirror { Mirror(self, children: ["file": file, "mode": mode]) }
}
