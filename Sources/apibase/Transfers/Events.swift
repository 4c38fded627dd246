import APIBaseKit

/// `apibase events URL`: prints the events of a stream as they arrive.
struct EventsJob: Job {
    let request: HTTPJob
    var count: Int?

    func run(_ context: Context) async throws -> Int32 {
        let call = try request.call(in: context, isStream: true)
        call.onEvent = CallReport(request.extras, on: context.output.err).take
        var rest = count ?? .max
        for try await event in call.eachEvent() {
            context.output.line(event.line(in: context.output.out.style))
            rest -= 1
            if rest == 0 { break }
        }
        return ExitCode.success
    }
}

extension ServerSentEvent {
    fileprivate func line(in style: Style) -> String {
        let text = data.replacing("\n", with: "\\n").forTerminal
        return "\(style.text(type.forTerminal, as: .key))  \(text)"
    }
}

extension Command {
    static let events = Command(
        name: "events",
        operands: "URL [ITEM …]",
        summary: "print the events of a stream as they arrive",
        details: """
            Prints a line for each event (text/event-stream, HTML standard, section 9.2): its type and its data, with
            \\n for line breaks. An interrupted stream is resumed after the last event. It ends when the server
            answers with status 204. Items are headers (Name:value) and query items (name==value).
            """,
        options: [.count, .bearer, .basic, .attempts, .idle, .verbose, .inspect] + Connection.options
    ) { arguments in
        var request = try HTTPJob(.get, &arguments, command: "events")
        // Without a limit, a stream would wait forever for a server that is gone.
        request.retries = try arguments.number(.attempts, in: 1...100) ?? 2
        return EventsJob(request: request, count: try arguments.number(.count, in: 1...Int.max))
    }
}

extension Option {
    fileprivate static let count = Option("--count", value: "N", "stop after N events")
    fileprivate static let attempts = Option("--retry", value: "N", "retry each connection at most N times (2)")
}
