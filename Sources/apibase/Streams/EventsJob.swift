import APIBaseKit

/// `apibase events URL`: the events of a stream, as they come.
struct EventsJob: Job {
    let request: HTTPJob
    /// The maximum number of events to print; `nil` for no limit.
    var count: Int?
    /// The identifier of the event after which to begin; empty for none.
    var lastEventID = ""
    var json = false

    func run(_ context: Context) async throws -> Int32 {
        let call = try request.call(in: context, isStream: true)
        let report = CallReport(request.extras, file: nil, on: context.output.err)
        call.onEvent = report.take
        var rest = count ?? .max
        for try await event in call.serverSentEvents(after: lastEventID).values {
            context.output.line(try json ? event.json : event.line(in: context.output.out.style))
            rest -= 1
            if rest == 0 { break }
        }
        try Task.checkCancellation()
        return ExitCode.success
    }
}

extension ServerSentEvent {
    private struct JSON: Encodable {
        let data: String
        let id: String
        let type: String
    }

    /// The event as one line: what it is, and what it says, with `\n` for its line breaks.
    fileprivate func line(in style: Style) -> String {
        let text = data.replacing("\n", with: "\\n").withoutControls
        return "\(style.text(type.withoutControls, as: .key))  \(text)"
    }

    /// The event as JSON on one line.
    fileprivate var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let event = JSON(data: data, id: lastEventID, type: type)
            return String(decoding: try encoder.encode(event), as: UTF8.self).withoutControls
        }
    }
}

extension Command {
    static let events = Command(
        name: "events",
        operands: "URL [ITEM …]",
        summary: "print the events of a stream as they come",
        details: """
            A line for each event (text/event-stream, HTML standard, section 9.2): its type and its data; \\n is a line break in data
            of several lines. A stream that breaks off is taken up behind the last event. It ends when the server says so with status
            204. Items are headers (Name:value) and items of the query (name==value).
            """,
        options: [.count, .after, .jsonLines, .bearer, .basic, .attempts, .idle, .verbose] + Connection.options
    ) { arguments throws(UsageError) in
        var request = try HTTPJob(.get, &arguments, command: "events")
        // Without attempts of its own, a stream would look for a server that is not there for ever.
        request.retries = try arguments.number(.attempts, in: 1...100) ?? 2
        return EventsJob(
            request: request,
            count: try arguments.number(.count, in: 1...Int.max),
            lastEventID: try eventID(arguments.value(.after)),
            json: arguments.has(.jsonLines)
        )
    }
}

/// The ID, if a header can carry it.
private func eventID(_ text: String?) throws(UsageError) -> String {
    let text = text ?? ""
    guard ServerSentEvent.canSend(lastEventID: text) else {
        throw .badValue(option: Option.after.name, value: text, expected: "an ID has no control characters")
    }
    return text
}

extension Option {
    fileprivate static let count = Option("--count", value: "N", "end after so many events")
    fileprivate static let after = Option("--after", value: "ID", "begin behind the event of this ID")
    fileprivate static let jsonLines = Option("--json", "print each as JSON, with its ID")
    fileprivate static let attempts = Option("--retry", value: "N", "try each connection again, at most N times (2)")
}
