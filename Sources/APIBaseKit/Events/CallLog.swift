import Basics
import HTTPTransport

/// A log of calls: one line for each, when it is over, and none of its secrets.
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let log = CallLog()
///
///     override func report(_ event: CallEvent) { Self.log.report(event) }
/// }
/// ```
///
/// A line has the class, the method, the URL without values of its query, the status and the times:
///
/// ```
/// BookRequest GET https://books.example/v2/books/7 200, 123 ms (look-up 1, connect 2, TLS 20, first byte 90, transfer 10)
/// ```
///
/// Attempts that are followed by another have a line of their own. What is secret by its name, in headers and in bodies, is
/// replaced as a recording replaces it: see ``Redaction``.
public struct CallLog: Sendable {
    /// The amount that is written of a call.
    public enum Detail: Sendable, Hashable {
        /// One line.
        case line
        /// The headers of request and reply as well, a line for each.
        case headers
        /// Headers and bodies, if those are text in memory: at most so many bytes of each, on one line.
        case bodies(atMost: Int)
    }

    private let detail: Detail
    private let redaction: Redaction
    private let write: @Sendable (String) -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - detail: How much of a call is written.
    ///   - redaction: What is secret.
    ///   - write: Takes one call's text, without a line break at its end. By default, it goes to the standard error.
    public init(
        _ detail: Detail = .line,
        redacting redaction: Redaction = .default,
        to write: @escaping @Sendable (String) -> Void = CallLog.standardError
    ) {
        self.detail = detail
        self.redaction = redaction
        self.write = write
    }

    /// Writes to the standard error.
    public static let standardError: @Sendable (String) -> Void = { text in
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Takes an event, and writes about the call if it is over or tried again.
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
        let refusal = timings.retryRefusal.map { ", not tried again: \($0)" } ?? ""
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
        guard let reply = timings.reply else { return lines }
        let headers = reply.head.headers
        lines += headers.map { name, value in
            "  < \(name): \(names.hasHeader(name) ? Redaction.marker : names.withoutSecrets(value))"
        }
        if case .bodies(let limit) = detail, !reply.data.isEmpty {
            let excerpt = BodyExcerpt(reply.data, type: headers["Content-Type"] ?? "", without: names)
            lines.append("  < " + excerpt.text(atMost: limit))
        }
        return lines
    }
}

extension CallTimings {
    /// The outcome of the attempt: its status code, or why there is none.
    fileprivate var outcome: String {
        error.map { "failed: \($0.localizedDescription)" } ?? statusCode.map { "\($0)" } ?? "failed"
    }
}
