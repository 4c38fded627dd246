import Basics
import HTTPTransport

/// A log of calls, with a line for each when it has ended, and without secrets.
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     override func configure() {
///         super.configure()
///         watchers = [CallLog()]
///     }
/// }
/// ```
///
/// A line has the class, the method, the URL without query values, the status and the times:
///
/// ```
/// BookRequest GET https://books.example/books/7 200, 123 ms (look-up 1, connect 2, TLS 20, first byte 90, transfer 10)
/// ```
///
/// The template of the path follows the URL if it has parameters, then the name of the account and the line of code
/// that started the call, if they are known: `GET https://books.example/books/7 (/books/{id}) for north at Shelf.swift:12`.
/// See ``APIBase/here(fileID:line:)``.
///
/// In front of these times are the waits at the gate and for credentials, if they took a millisecond: `gate 12,
/// credentials 117`. `200 from the cache` is a stored response, which may be `stale` or `validated`.
///
/// Failed attempts before the last have lines as well. Values of secret names are replaced in headers and in bodies,
/// see ``RedactionRules``. What is secret in the request or the response is removed from the whole text of the call if
/// it is repeated there, in any spelling. Of a body, the first 256 KiB are searched for names of secrets, or more if
/// more is shown; of a body in a content coding, only the number of bytes is shown.
public struct CallLog: CallWatcher {
    /// The amount of text for each call.
    public enum Detail: Sendable, Hashable {
        /// One line.
        case line
        /// Also the headers of the request and the response, one on each line.
        case headers
        /// Also the headers, and the bodies if they are text in memory: at most `atMost` bytes of each, on one line.
        case bodies(atMost: Int)
    }

    private let detail: Detail
    private let redaction: RedactionRules
    private let write: @Sendable (String) -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - detail: The amount of text for each call.
    ///   - redaction: The names of secrets.
    ///   - write: Takes the text of one call, without a line break at its end. By default, it is written to the
    ///     standard error.
    public init(
        _ detail: Detail = .line,
        redacting redaction: RedactionRules = .default,
        to write: @escaping @Sendable (String) -> Void = CallLog.standardError
    ) {
        self.detail = detail
        self.redaction = redaction
        self.write = write
    }

    /// Writes a text to the standard error.
    public static let standardError: @Sendable (String) -> Void = { text in
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Takes an event, and writes the text of a call that has ended or is tried again.
    public func report(_ event: CallEvent) {
        switch event {
        case .ended(let timings): write(text(timings, outcome: "\(timings.statusCode ?? 0)\(timings.source)"))
        case .retrying(let timings, let delay):
            let seconds = (delay.inSeconds * 1_000).rounded() / 1_000
            write(text(timings, outcome: "\(timings.outcome), again in \(seconds) s"))
        case .failed(is CancellationError, let timings): write(text(timings, outcome: "cancelled"))
        case .failed(let error, let timings): write(text(timings, outcome: "failed: \(error.sentence)"))
        case .noted(let call, let note):
            let secrets = call.redactor(redaction).secrets
            write(secrets.removed(from: "\(call.text(without: secrets)): \(note.description)").withoutControls)
        case .began, .sent, .head, .refreshed, .shared, .cached: break
        }
    }

    private func text(_ timings: CallTimings, outcome: String) -> String {
        let template = timings.call.pathTemplate.map { $0.contains("{") ? " (\($0))" : "" } ?? ""
        let account = timings.call.account.map { " for \($0)" } ?? ""
        let file = timings.call.place?.fileID.split(separator: "/").last
        let place = timings.call.place.map { " at \(file ?? ""):\($0.line)" } ?? ""
        let count = timings.call.attempt > 1 ? " (attempt \(timings.call.attempt))" : ""
        let attempt = template + account + place + count
        let refusal = timings.retryStopReason.map { ", not tried again: \($0)" } ?? ""
        var redactor = timings.call.redactor(redaction)
        // The line of a success has no text of the response.
        let messages = detail == .line && timings.error == nil ? [] : messages(timings, without: &redactor)
        let secrets = redactor.secrets
        let end = secrets.removed(from: "\(attempt) \(outcome)\(refusal), \(timings)")
        let lines = [timings.call.text(without: secrets) + end]
        return (detail == .line ? lines : lines + messages.flatMap { $0.lines(without: secrets) })
            .map(\.withoutControls).joined(separator: "\n")
    }

    private func messages(_ timings: CallTimings, without redactor: inout Redactor) -> [Message] {
        var (messages, limit): ([Message], Int?) = ([], nil)
        if case .bodies(let most) = detail { limit = max(0, most) }
        if let request = timings.call.sent {
            let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            messages.append(Message(">", headers, request.httpBody ?? Data(), atMost: limit, without: &redactor))
        }
        if let response = timings.reply {
            let headers = response.head.headers.map { ($0.name, $0.value) }
            messages.append(Message("<", headers, response.data, atMost: limit, without: &redactor))
        }
        return messages
    }
}

/// The headers and the body of a message, without the values of secret names.
private struct Message {
    private let mark: String
    private let headers: [(name: String, value: String)]
    /// The body; `nil` if none is shown.
    private let body: BodyExcerpt?

    /// The redactor remembers the secrets of the whole message, since it may repeat them, and the other one too. At most
    /// `limit` bytes of the body are shown; `nil` for no body.
    init(
        _ mark: String,
        _ headers: [(String, String)],
        _ body: Data,
        atMost limit: Int?,
        without redactor: inout Redactor
    ) {
        self.mark = mark
        self.headers = headers.map { ($0, redactor.redacted($1, ofHeader: $0)) }
        let value = { (name: String) in headers.filter { $0.0.equalsIgnoringCase(name) }.map(\.1) }
        let codings = ContentCodings(value("Content-Encoding").joined(separator: ","))
        let type = value("Content-Type").first ?? ""
        let excerpt = BodyExcerpt(body, atMost: limit ?? 0, type, codings, without: &redactor)
        self.body = limit == nil || body.isEmpty ? nil : excerpt
    }

    func lines(without secrets: Secrets) -> [String] {
        let body = body.map { ["  \(mark) " + $0.text(without: secrets)] } ?? []
        return headers.map { "  \(mark) \($0.name): \(secrets.removed(from: $0.value))" } + body
    }
}

extension Error {
    /// The text of the error. That of a failure has its status too, which the API's own text may not name.
    fileprivate var sentence: String {
        if case .httpFailure(let failure)? = self as? RequestError { failure.description } else { localizedDescription }
    }
}

extension CallTimings {
    /// Where the response is from, unless it is from the network.
    fileprivate var source: String {
        switch cacheOutcome {
        case nil: ""
        case .fresh: " from the cache"
        case .stale: " from the cache, stale"
        case .validated: " from the cache, validated"
        }
    }

    /// The status code of the attempt, or its error.
    fileprivate var outcome: String {
        error.map { "failed: \($0.sentence)" } ?? statusCode.map { "\($0)" } ?? "failed"
    }
}

/// The beginning of a body, without secrets.
private struct BodyExcerpt {
    /// The bytes after the shown ones that are searched for names, since a name may follow its value.
    private static let lookahead = 8 << 10

    private let size: Int
    private let limit: Int
    /// The bytes that were searched; `nil` if they are no text, or if no secrets can be found in their coding.
    private let beginning: Data?

    /// The excerpt of a body of which at most `limit` bytes are shown.
    init(
        _ body: Data,
        atMost limit: Int,
        _ type: String,
        _ codings: ContentCodings,
        without redactor: inout Redactor
    ) {
        (size, self.limit) = (body.count, limit)
        let window = body.prefix(limit < size ? max(limit + Self.lookahead, Redactor.bodyLimit) : size)
        let whole = window.count < size ? window.withoutCutCharacter : window[...]
        let isText = String(valid: whole) != nil && !codings.mayStillCode(whole)
        beginning = isText ? redactor.redacted(Data(whole), type: type) : nil
    }

    /// At most the wanted bytes, with a mark if there are more; the number of bytes for a body that is not text.
    func text(without secrets: Secrets) -> String {
        guard let beginning else { return "\(size) bytes" }
        let clean = secrets.removed(from: beginning)
        let shown = String(decoding: clean.prefix(limit), as: UTF8.self)
        return size <= limit && clean.count <= limit ? shown : "\(shown)… (\(size) bytes)"
    }
}
