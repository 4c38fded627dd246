public import Foundation
public import HTTPTransport
import Basics

/// Answers calls from a file, or makes it: what a server said once is said again, without the server.
///
/// The file is in the format HAR 1.2, which browsers export as well. Secrets are taken out before anything is kept for it
/// (``/APIBaseKit/Redaction``), so it can be checked in.
///
/// ```swift
/// let recording = try Recording(file: folder.appendingPathComponent("users.har"), mode: .once)
/// let users = try await recording.run {
///     try await UsersRequest().value()
/// }
/// ```
///
/// It holds for the calls that are started inside of ``run(isolation:_:)``, in whatever class and on whatever session. Or it is
/// set as the session of one request object or API class: `request.session = recording`.
///
/// Building of requests, checks, redirects, limits, progress, validation and decoding run as ever. What is recorded is one
/// hop: a redirect is an entry of its own. Headers come back in the file's order, bodies byte for byte. An entry answers
/// once, the first that fits before the others, so that a second call of the same URL gets the second answer.
/// What failed on the way, without a whole reply, is not recorded. A reply that was not read to its end is recorded as far
/// as it was read.
public final class Recording: Sendable {
    /// The source of the answers, and the rule for what is written.
    public enum Mode: Sendable, Hashable {
        /// From the file alone. It has to be there, and a call that it does not answer fails. Nothing is written.
        case replay
        /// As ``replay`` if there is the file when the recording is created; otherwise everything goes to the network, and
        /// is recorded.
        case once
        /// From the file what it answers, and from the network the rest, which is added to the file.
        case new
        /// From the network, as if there were no recording. The file is neither read nor written.
        case passThrough
    }

    /// The file.
    public let file: URL

    /// The source of the answers, and the rule for what is written.
    public let mode: Mode

    /// The rules for secrets, which are not written.
    public let redaction: Redaction

    let network: (any HTTPSession)?
    let store: RecordingStore

    /// A recording in this file.
    ///
    /// - Parameters:
    ///   - file: A file with the format HAR. Folders that are missing are made when it is written.
    ///   - mode: Where answers come from, and what is written.
    ///   - network: The session for what is not answered from the file. If it is `nil`, a call in ``run(isolation:_:)`` goes over the
    ///     session it would have without the recording, and any other over `DefaultSession.shared`.
    ///   - redaction: What is not written.
    ///   - criteria: What has to be the same for an entry to answer a request.
    ///   - allowsRepeats: Whether, if all that fit have answered before, the last of them answers again.
    /// - Throws: If the file has to be read: that it is missing, is not JSON, or is not a HAR that can be replayed.
    public init(
        file: URL,
        mode: Mode = .once,
        over network: (any HTTPSession)? = nil,
        redaction: Redaction = .default,
        matching criteria: Set<Criterion> = .default,
        allowsRepeats: Bool = false
    ) throws(RecordingError) {
        self.file = file
        self.mode = mode
        self.network = network
        self.redaction = redaction
        let isThere = FileManager.default.fileExists(atPath: file.path)
        let entries =
            switch mode {
            case .replay: try HAR(contentsOf: file).log.entries
            case .once, .new: isThere ? try HAR(contentsOf: file).log.entries : []
            case .passThrough: [HAR.Entry]()
            }
        store = RecordingStore(
            entries,
            of: file,
            records: mode == .new || (mode == .once && !isThere),
            redaction: redaction,
            criteria: criteria,
            allowsRepeats: allowsRepeats
        )
    }

    /// A recording that takes the place of the file, if there is one, when it is written.
    package init(replacing file: URL) {
        self.file = file
        mode = .new
        redaction = .default
        network = nil
        store = RecordingStore(
            [],
            of: file,
            records: true,
            redaction: .default,
            criteria: .default,
            allowsRepeats: false
        )
    }

    /// Writes what has been recorded, the file as a whole or not at all; nothing if there is nothing new.
    ///
    /// ``run(isolation:_:)`` does it at its end. Calls that are still under way are not in it; another `save()` adds them. Of two
    /// recordings that write the same file, the last one counts.
    ///
    /// - Throws: ``RecordingError/unwritableFile(_:reason:)``.
    public func save() throws(RecordingError) {
        guard mode != .passThrough else { return }
        try store.save()
    }
}

extension Recording: CustomReflectable {
    /// The file and the mode: `dump` shows nothing of what was recorded.
    public var customMirror: Mirror { Mirror(self, children: ["file": file, "mode": mode]) }
}
