import APIBaseKit

/// `apibase get URL` and its like: one call of any API.
struct HTTPJob: Job {
    let method: HTTPMethod
    let url: URL
    let items: RequestItems
    /// The file with the body; `-` for the standard input.
    var body: String?
    /// Whether the body is the standard input if something was put in its place.
    var takesInput = false
    var connection = Connection()
    var credentials: Credentials?
    /// The number of times that the call is tried again.
    var retries = 0
    /// The longest time that an attempt may take, in seconds; `nil` for the default.
    var timeout: Double?
    var followsRedirects = true
    /// The file that the body of the reply goes to; `nil` for the standard output.
    var file: String?
    var extras: Set<Extra> = []
    /// The value of `Accept`, unless an item states another.
    var accept = "application/json, */*;q=0.5"

    /// The credentials of the caller.
    enum Credentials: Hashable {
        case bearer(Secret)
        case basic(Secret)
    }

    /// The output besides the body of the reply.
    enum Extra: Hashable, CaseIterable {
        /// The call as a command of curl; it is not sent.
        case curl
        case head, pretty, timings, verbose
    }

    /// Whether JSON is printed for people where there is no terminal.
    var isPretty: Bool { extras.contains(.pretty) }

    func run(_ context: Context) async throws -> Int32 {
        // What is printed for people is shown as a whole.
        let isStream = method != .head && (file != nil || context.output.out.terminal == nil && !isPretty)
        let call = try call(in: context, isStream: isStream)
        if extras.contains(.curl) {
            context.output.line(call.curlText)
            return ExitCode.success
        }
        // As for a reply that is there as a whole.
        call.accepted = 200..<400
        if let timeout { call.limits.total = .seconds(timeout) }
        let report = CallReport(extras, file: file, on: context.output.err)
        call.onEvent = report.take
        let progress = call.$downloadProgress.sink(receiveValue: report.received)
        defer { progress.cancel() }
        return try await context.recorded {
            if isStream { return try await stream(call, report, on: context.output) }
            return try show(try await call.value(), report.head, on: context.output)
        }
    }

    /// Shows a reply that is there as a whole.
    ///
    /// - Returns: The exit code.
    func show(
        _ reply: APIBase.DataResponseTuple,
        _ head: ResponseHead?,
        on output: Output
    ) throws -> Int32 {
        let code = ExitCode.status(reply.response.statusCode)
        if let head, extras.contains(.head) || method == .head { output.line(head.text(in: output.out.style)) }
        if let file, code == ExitCode.success {
            let target = try BodyFile(file)
            defer { target.discard() }
            try target.write(reply.data)
            try target.finish()
        } else {
            output.show(reply.data, isPretty: isPretty)
        }
        if code != ExitCode.success {
            let place = reply.response.url?.redacted.map { " from \($0.absoluteString)" } ?? ""
            output.error("apibase: The reply\(place) has status \(reply.response.statusCode).")
        }
        return code
    }
}

extension ResponseHead {
    /// Status and headers, as HTTP/1.1 has them, and an empty line.
    func text(in style: Style) -> String {
        let status = style.text("\(statusCode)", as: statusCode < 400 ? .good : .bad)
        let lines = headers.map { name, value in
            "\(style.text(name.withoutControls, as: .key)): \(value.withoutControls)"
        }
        return (["\(httpVersion ?? "HTTP/1.1") \(status)"] + lines + [""]).joined(separator: "\n")
    }
}
