import APIBaseKit

/// `apibase pages URL`: prints a list page by page.
struct PagesJob: Job {
    let request: HTTPJob
    var limit: Int?
    var lines = false

    func run(_ context: Context) async throws -> Int32 {
        let call = try request.call(in: context)
        let report = CallReport(request.extras, on: context.output.err)
        call.onEvent = report.take
        return try await context.recorded {
            for try await page in call.eachPage(atMost: limit ?? .max) {
                guard ExitCode.status(page.response.statusCode) == ExitCode.success else {
                    return try request.show(page, report.head, on: context.output)
                }
                try show(page.data, on: context.output)
            }
            return ExitCode.success
        }
    }

    private func show(_ page: Data, on output: Output) throws {
        guard lines else {
            output.show(page)
            // Separates JSON pages in a pipe.
            if output.out.terminal == nil, page.last != UInt8(ascii: "\n"), JSONText(page) != nil { output.line("") }
            return
        }
        guard let json = JSONText(page) else { throw NotJSON() }
        for element in json.elements { output.line(element.forTerminal) }
    }

    private struct NotJSON: LocalizedError {
        var errorDescription: String? { "The page is not JSON, so it cannot be printed as lines." }
    }
}

extension Command {
    static let pages = Command(
        name: "pages",
        operands: "URL [ITEM …]",
        summary: "print a list page by page, following its Link headers",
        details: """
            Prints each page as get does. The next page is the one that the header Link marks with rel="next" (RFC
            8288), on the same server. Items are headers (Name:value) and query items (name==value).
            """,
        options: [.lines, .limit, .bearer, .basic, .retry, .timeout, .verbose, .record, .replay, .inspect]
            + Connection.options
    ) { arguments in
        PagesJob(
            request: try HTTPJob(.get, &arguments, command: "pages"),
            limit: try arguments.number(.limit, in: 1...Int.max),
            lines: arguments.has(.lines)
        )
    }
}

extension Option {
    fileprivate static let lines = Option("--lines", "print each element of JSON arrays as JSON on a line")
    fileprivate static let limit = Option("--limit", value: "N", "fetch at most N pages")
}
