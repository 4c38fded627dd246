import Basics
import HTTPTransport

/// A log of calls, with a line for each when it has ended, and without secrets.
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let log = CallLog()
///
///     override func report(_ event: CallEvent) { Self.log.report(event) }
/// }
/// ```
///
/// A line has the class, the method, the URL without query values, the status and the times:
///
/// ```
/// BookRequest GET https://books.example/books/7 200, 123 ms (look-up 1, connect 2, TLS 20, first byte 90, transfer 10)
/// ```
///
/// In front of these times are the waits at the gate and for credentials, if they took a millisecond: `gate 12,
/// credentials 117`. `200 from the cache` is a stored response, which may be `stale` or `validated`.
///
/// Failed attempts before the last have lines as well. Values of secret names are replaced in headers and in bodies,
/// see ``RedactionRules``. What is secret in the request or the response is removed from the whole text of the call if
/// it is repeated there, in any spelling. Of a body in a content coding, only the number of bytes is shown.
public struct CallLog: Sendable {
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
        case .failed(let error, let timings): write(text(timings, outcome: "failed: \(error.localizedDescription)"))
        case .began, .sent, .head, .refreshed, .shared, .cached: break
        }
    }

    private func text(_ timings: CallTimings, outcome: String) -> String {
        let attempt = timings.call.attempt > 1 ? " (attempt \(timings.call.attempt))" : ""
        let refusal = timings.retryStopReason.map { ", not tried again: \($0)" } ?? ""
        let line = "\(timings.call)\(attempt) \(outcome)\(refusal), \(timings)".withoutControls
        if detail == .line { return timings.error == nil ? line : timings.call.secrets.removed(from: line) }
        return ([line] + details(timings)).joined(separator: "\n")
    }

    private func details(_ timings: CallTimings) -> [String] {
        var redactor = Redactor(redaction, secretHeaders: timings.call.secretHeaders)
        var messages: [Message] = []
        if let request = timings.call.sent {
            let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            _ = redactor.redacted(request.url?.absoluteString ?? "")
            messages.append(Message(">", headers, excerpt(of: request.httpBody), without: &redactor))
        }
        if let response = timings.reply {
            let headers = response.head.headers.map { ($0.name, $0.value) }
            messages.append(Message("<", headers, excerpt(of: response.data), without: &redactor))
        }
        let secrets = redactor.secrets
        return messages.flatMap { $0.lines(without: secrets) }.map(\.withoutControls)
    }

    private func excerpt(of body: Data?) -> BodyExcerpt? {
        guard case .bodies(let limit) = detail, let body, !body.isEmpty else { return nil }
        return BodyExcerpt(body, atMost: limit)
    }
}

/// The headers and the body of a message, without the values of secret names.
private struct Message {
    private let mark: String
    private let headers: [(name: String, value: String)]
    private var body: BodyExcerpt?

    /// The redactor remembers the secrets, since the other message may repeat them.
    init(_ mark: String, _ headers: [(String, String)], _ body: BodyExcerpt?, without redactor: inout Redactor) {
        self.mark = mark
        self.headers = headers.map { ($0, redactor.redacted($1, ofHeader: $0)) }
        self.body = body
        let type = headers.first { $0.0.equalsIgnoringCase("Content-Type") }?.1 ?? ""
        let codings = ContentCodings(
            headers.filter { $0.0.equalsIgnoringCase("Content-Encoding") }.map(\.1).joined(separator: ",")
        )
        self.body?.redact(by: &redactor, type: type, codings: codings)
    }

    func lines(without secrets: Secrets) -> [String] {
        let body = body.map { ["  \(mark) " + $0.text(without: secrets)] } ?? []
        return headers.map { "  \(mark) \($0.name): \(secrets.removed(from: $0.value))" } + body
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
        error.map { "failed: \($0.localizedDescription)" } ?? statusCode.map { "\($0)" } ?? "failed"
    }
}

/// The beginning of a body, without secrets. Only the shown bytes and a few after them are searched.
private struct BodyExcerpt {
    /// The bytes after the shown ones that are searched for names, since a name may follow its value.
    private static let lookahead = 8 << 10

    private let size: Int
    private let limit: Int
    /// The beginning; `nil` if it is no text.
    private var beginning: Data?
    private let isCut: Bool

    /// - Parameters:
    ///   - body: The bytes.
    ///   - limit: The number of bytes that are shown.
    init(_ body: Data, atMost limit: Int) {
        self.limit = max(0, limit)
        size = body.count
        let window = body.prefix(self.limit < body.count ? self.limit + Self.lookahead : body.count)
        isCut = window.count < body.count
        let whole = isCut ? window.withoutCutCharacter : window[...]
        beginning = String(valid: whole) == nil ? nil : Data(whole)
    }

    /// In a coded body, no secrets can be found.
    mutating func redact(by redactor: inout Redactor, type: String, codings: ContentCodings) {
        beginning = beginning.flatMap { codings.mayStillCode($0) ? nil : redactor.redacted($0, type: type) }
    }

    /// At most the wanted bytes, with a mark if there are more; the number of bytes for a body that is not text.
    func text(without secrets: Secrets) -> String {
        guard let beginning else { return "\(size) bytes" }
        let clean = secrets.removed(from: beginning)
        let shown = String(decoding: clean.prefix(limit), as: UTF8.self)
        return !isCut && clean.count <= limit ? shown : "\(shown)… (\(size) bytes)"
    }
}
