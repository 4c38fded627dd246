import APIBaseKit

/// `apibase upload FILE URL`: a file as the body of a request.
struct UploadJob: Job {
    let request: HTTPJob
    /// The file; `-` for the standard input.
    let file: String

    func run(_ context: Context) async throws -> Int32 {
        let call = try request.call(in: context)
        let display = ProgressDisplay(on: context.output.err)
        let report = CallReport(request.extras, file: nil, on: display.above)
        let bar = TransferBar(URL(fileURLWithPath: file).lastPathComponent, on: display)
        call.onEvent = report.take
        let progress = call.$uploadProgress.sink { bar.moved($0.sent, of: $0.expected) }
        defer {
            progress.cancel()
            bar.end(isWhole: false)
        }
        let reply = try await context.recorded { try await call.value() }
        bar.end(isWhole: ExitCode.status(reply.response.statusCode) == ExitCode.success)
        return try request.show(reply, report.head, on: context.output)
    }
}

extension Command {
    static let upload = Command(
        name: "upload",
        operands: "FILE URL [ITEM …]",
        summary: "send a file as it is, and show the reply",
        details: """
            The file is sent from the disk, whatever its size, with PUT or with POST. Its type is told by how its name ends, unless an
            item Content-Type:… says it. Items are headers (Name:value) and items of the query (name==value).
            """,
        options: [
            .usesPOST, .bearer, .basic, .retry, .timeout, .noRedirects, .output, .include, .pretty, .timings, .verbose,
            .record, .replay,
        ] + Connection.options
    ) { arguments throws(UsageError) in
        guard let file = arguments.next(), !file.isEmpty else { throw .missingArgument("The file") }
        var request = try HTTPJob(
            arguments.has(.usesPOST) ? .post : .put,
            &arguments,
            command: "upload"
        )
        request.body = file
        return UploadJob(request: request, file: file)
    }
}

extension Option {
    fileprivate static let usesPOST = Option("--post", "send it with POST, and not with PUT")
}
