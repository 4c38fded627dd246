import APIBaseKit
import APIBaseRecording
import Foundation

/// The calls of a recording. A redirect and the entry to which it leads are one call.
struct RecordedCalls {
    let calls: [InspectedCall]

    /// The calls without secrets, which files of browsers have.
    init(_ har: HAR, redacting redaction: RedactionRules) {
        var calls: [InspectedCall] = []
        for var entry in har.entriesWithoutSecrets(redaction).entries where entry.hasRequest {
            entry.cutBodies(to: ExchangeRedactor.bodyLimit)
            if calls.last?.leads(to: entry) == true {
                calls[calls.count - 1].follow(entry)
            } else {
                calls.append(InspectedCall(entry, id: calls.count + 1))
            }
        }
        self.calls = calls
    }
}

extension InspectedCall {
    fileprivate init(_ entry: HAR.Entry, id: Int) {
        self.init(id: id, classes: nil, started: entry.startedDateTime)
        add(entry, at: 0)
    }

    fileprivate func leads(to entry: HAR.Entry) -> Bool {
        guard case .whole(let last)? = attempts.last?.exchange, (300..<400).contains(last.response.status),
            let target = URL(string: last.response.redirectURL, relativeTo: URL(string: last.request.url))
        else { return false }
        return target.absoluteString.prefix { $0 != "#" } == entry.request.url
    }

    fileprivate mutating func follow(_ entry: HAR.Entry) {
        mark(.redirect)
        let last = attempts.count - 1
        if case .whole(let entry)? = attempts[last].exchange {
            attempts[last].reason = "\(entry.response.status), redirect to \(entry.response.redirectURL)"
        }
        add(entry, at: attempts[last].end ?? 0)
    }

    private mutating func add(_ entry: HAR.Entry, at start: Double) {
        let hasResponse = entry.hasResponse
        state = hasResponse ? .ended : .failed
        error = hasResponse ? nil : "There was no response."
        if entry.response.status == 304 { mark(.notModified) }
        let end = start + entry.time.bounded
        // Before them were the connection, and the waiting for one.
        let body = max(start, end - entry.timings.receive.bounded)
        let request = max(start, body - entry.timings.wait.bounded)
        var attempt = Attempt(number: 1, start: start, end: end)
        attempt.segments = [
            Segment(name: "first byte", start: request, time: body - request),
            Segment(name: "body", start: body, time: end - body),
        ]
        attempt.exchange =
            hasResponse
            ? .whole(entry) : .request(entry.request, startedDateTime: entry.startedDateTime)
        attempts.append(attempt)
        time = end
    }
}

extension Double {
    /// A time of a file, which may be any number: unknown ones are negative.
    fileprivate var bounded: Double { min(max(0, self), 1e9) }
}
