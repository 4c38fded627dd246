import APIBaseKit

/// `apibase upload FILE URL`: sends a file as the body of a request.
struct UploadJob: Job {
    let request: HTTPJob
    /// The file; `-` for the standard input.
    let file: String

    func run(_ context: Context) async throws -> Int32 {
        let call = try request.call(in: context)
        let display = ProgressDisplay(on: context.output.err)
        let report = CallReport(request.extras, on: display.above)
        let bar = TransferBar(URL(fileURLWithPath: file).lastPathComponent, on: display)
        call.onEvent = report.take
        let progress = call.$uploadProgress.sink { bar.update(done: $0.sent, total: $0.expected) }
        defer {
            progress.cancel()
            bar.end(isComplete: false)
        }
        let reply = try await context.recorded { try await call.value() }
        bar.end(isComplete: ExitCode.status(reply.response.statusCode) == ExitCode.success)
        return try request.show(reply, report.head, on: context.output)
    }
}

extension Command {
    static let upload = Command(
        name: "upload",
        operands: "FILE URL [ITEM …]",
        summary: "send a file, and show the response",
        details: """
            The file is streamed from the disk, with PUT or with POST. Its media type follows from its extension, unless an item
            Content-Type:… sets it. Items are headers (Name:value) and query items (name==value).
            """,
        options: [
            .usesPOST, .bearer, .basic, .retry, .timeout, .noRedirects, .output, .include, .pretty, .timings, .verbose,
            .record, .replay,
        ] + Connection.options
    ) { arguments in
        guard let file = arguments.next(), !file.isEmpty else { throw UsageError.missingArgument("The file") }
        var request = try HTTPJob(arguments.has(.usesPOST) ? .post : .put, &arguments, command: "upload")
        request.body = file
        return UploadJob(request: request, file: file)
    }
}

extension Option {
    fileprivate static let usesPOST = Option("--post", "use POST instead of PUT")
}
