import APIBaseKit

/// `apibase pages URL`: a list, page by page.
struct PagesJob: Job {
    let request: HTTPJob
    /// The maximum number of pages to fetch; `nil` for no limit.
    var limit: Int?
    /// Whether to print a line for each element, and not the pages.
    var lines = false

    func run(_ context: Context) async throws -> Int32 {
        let call = try request.call(in: context)
        let report = CallReport(request.extras, file: nil, on: context.output.err)
        call.onEvent = report.take
        return try await context.recorded {
            for try await page in call.pages(atMost: limit ?? .max).values {
                guard ExitCode.status(page.response.statusCode) == ExitCode.success else {
                    return try request.show(page, report.head, on: context.output)
                }
                try show(page.data, on: context.output)
            }
            try Task.checkCancellation()
            return ExitCode.success
        }
    }

    private func show(_ page: Data, on output: Output) throws {
        guard lines else {
            output.show(page)
            // Between two pages in a pipe.
            if output.out.terminal == nil, page.last != UInt8(ascii: "\n"), JSONText(page) != nil { output.line("") }
            return
        }
        guard let json = JSONText(page) else { throw NoJSON() }
        for element in json.elements { output.line(element.withoutControls) }
    }

    private struct NoJSON: LocalizedError {
        var errorDescription: String? { "The page is not JSON, of which there could be lines." }
    }
}

extension Command {
    static let pages = Command(
        name: "pages",
        operands: "URL [ITEM …]",
        summary: "print a list page by page, as its Link headers lead",
        details: """
            Each page is printed as get prints it. The next one is where the header Link says rel="next" (RFC 8288), on the same
            server. Items are headers (Name:value) and items of the query (name==value).
            """,
        options: [.lines, .limit, .bearer, .basic, .retry, .timeout, .verbose, .record, .replay] + Connection.options
    ) { arguments throws(UsageError) in
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
