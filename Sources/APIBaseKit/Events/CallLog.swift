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
/// Failed attempts before the last have lines as well. Values of secret names are replaced in headers and in bodies:
/// see ``RedactionRules``.
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
        case .ended(let timings): write(text(timings, outcome: "\(timings.statusCode ?? 0)"))
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
        let line = "\(timings.call)\(attempt) \(outcome)\(refusal), \(timings)"
        return ([line] + details(timings)).map(\.withoutControls).joined(separator: "\n")
    }

    private func details(_ timings: CallTimings) -> [String] {
        guard detail != .line else { return [] }
        let names = timings.call.names(for: redaction)
        let request = timings.call.head(without: names)
        var lines = (request?.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { "  > \($0): \($1)" }
        if case .bodies(let limit) = detail, let body = request?.httpBody {
            let type = request?.value(forHTTPHeaderField: "Content-Type")
            lines.append("  > " + BodyExcerpt(body, type: type ?? "", without: names).text(atMost: limit))
        }
        guard let response = timings.reply else { return lines }
        let headers = response.head.headers
        lines += headers.map { name, value in
            "  < \(name): \(names.hasHeader(name) ? RedactionRules.marker : names.withoutSecrets(value))"
        }
        if case .bodies(let limit) = detail, !response.data.isEmpty {
            let excerpt = BodyExcerpt(response.data, type: headers["Content-Type"] ?? "", without: names)
            lines.append("  < " + excerpt.text(atMost: limit))
        }
        return lines
    }
}

extension CallTimings {
    /// The status code of the attempt, or its error.
    fileprivate var outcome: String {
        error.map { "failed: \($0.localizedDescription)" } ?? statusCode.map { "\($0)" } ?? "failed"
    }
}

/// The beginning of a body, without secrets. Only the shown bytes and a few after them are searched.
private struct BodyExcerpt {
    /// The bytes after the shown ones that are searched for names, since a name may follow its value.
    private static let lookahead = 8 << 10

    private let body: Data
    private let type: String
    private let names: SecretNames

    /// - Parameters:
    ///   - body: The bytes, not compressed.
    ///   - type: The value of `Content-Type`.
    ///   - names: The names of secrets.
    init(_ body: Data, type: String, without names: SecretNames) {
        (self.body, self.type, self.names) = (body, type, names)
    }

    /// At most `limit` bytes, with a mark if there are more; the number of bytes for a body that is not text.
    func text(atMost limit: Int) -> String {
        let limit = max(0, limit)
        let window = body.prefix(limit < body.count ? limit + Self.lookahead : body.count)
        let whole = window.count == body.count ? window[...] : window.withoutCutCharacter
        guard String(valid: whole) != nil else { return "\(body.count) bytes" }
        let clean = names.redactedBody(Array(whole), type: type)?.bytes ?? Array(whole)
        let shown = String(decoding: clean.prefix(limit), as: UTF8.self)
        let isAll = window.count == body.count && clean.count <= limit
        return isAll ? shown : "\(shown)… (\(body.count) bytes)"
    }
}
