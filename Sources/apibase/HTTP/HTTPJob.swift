import APIBaseKit

/// `apibase get URL` and its siblings: one call of any API.
struct HTTPJob: Job {
    let method: HTTPMethod
    let url: URL
    let items: RequestItems
    var body: String?
    /// Whether a redirected standard input is the body.
    var takesInput = false
    var connection = Connection()
    var bearer: Secret?
    /// User and password, separated by a colon.
    var basic: Secret?
    var retries = 0
    /// The time limit of an attempt in seconds; `nil` for the default.
    var timeout: Double?
    var followsRedirects = true
    var file: String?
    var extras: Set<Option> = []
    /// Whether the body is a file whose upload is shown as a bar.
    var isUpload = false
    /// The value of `Accept`, unless an item sets it.
    var accept = "application/json, */*;q=0.5"

    func run(_ context: Context) async throws -> Int32 {
        let output = context.output
        // A response is formatted as a whole, and otherwise written as it arrives.
        let isFormatted = output.out.terminal != nil || extras.contains(.pretty)
        let isStream = method != .head && !isUpload && (file != nil || !isFormatted)
        let call = try call(in: context, isStream: isStream)
        if extras.contains(.curl) {
            output.line(call.curlText)
            return ExitCode.success
        }
        // As for a response that is read as a whole.
        call.accepted = 200..<400
        if let timeout { call.limits.total = .seconds(timeout) }
        let display = ProgressDisplay(on: output.err)
        let report = CallReport(extras, on: display.above)
        let barFile = isUpload ? body : isStream && output.err.terminal != nil ? file : nil
        let bar = barFile.map { TransferBar(URL(fileURLWithPath: $0).lastPathComponent, on: display) }
        let progress = observe(call, report, bar)
        defer {
            progress.cancel()
            bar?.end(isComplete: false)
        }
        return try await context.recorded {
            guard isStream else {
                let reply = try await call.value()
                bar?.end(isComplete: ExitCode.status(reply.response.statusCode) == ExitCode.success)
                return try show(reply, report.head, on: output)
            }
            let code = try await stream(call, report, on: output)
            bar?.end(isComplete: code == ExitCode.success)
            return code
        }
    }

    private func observe(_ call: HTTPCall, _ report: CallReport, _ bar: TransferBar?) -> AnyCancellable {
        call.onEvent = { event in
            // Before the error message.
            if case .failed = event { bar?.end(isComplete: false) }
            report.take(event)
        }
        guard isUpload else {
            return call.$downloadProgress.sink { bar?.update(done: $0.received, total: $0.expected) }
        }
        return call.$uploadProgress.sink { bar?.update(done: $0.sent, total: $0.expected) }
    }

    /// Writes the body of the response as it arrives. If the call fails, the output has the received part.
    private func stream(_ call: HTTPCall, _ report: CallReport, on output: Output) async throws -> Int32 {
        do {
            for try await reply in CallSequence(call.sendStream()) {
                show(report.head, on: output)
                try await write(reply.body, to: output)
            }
            return ExitCode.success
        } catch RequestError.httpFailure(let failure) {
            show(report.head, on: output)
            output.show(failure.body, isPretty: extras.contains(.pretty))
            output.error("apibase: \(failure.description)")
            return ExitCode.status(failure.statusCode)
        }
    }

    private func write(_ body: AnyPublisher<Data, any Error>, to output: Output) async throws {
        guard let file else {
            for try await data in CallSequence(body) { output.out.write(data) }
            return
        }
        let target = try BodyFile(file)
        defer { target.discard() }
        for try await data in CallSequence(body) { try target.write(data) }
        try target.finish()
    }

    func show(_ reply: APIBase.DataResponseTuple, _ head: ResponseHead?, on output: Output) throws -> Int32 {
        let code = ExitCode.status(reply.response.statusCode)
        show(head, on: output)
        if let file, code == ExitCode.success {
            let target = try BodyFile(file)
            defer { target.discard() }
            try target.write(reply.data)
            try target.finish()
        } else {
            output.show(reply.data, isPretty: extras.contains(.pretty))
        }
        if code != ExitCode.success {
            let origin = reply.response.url?.redacted.map { " from \($0.absoluteString)" } ?? ""
            output.error("apibase: The response\(origin) has status \(reply.response.statusCode).")
        }
        return code
    }

    /// Shows the status and the headers, if they are requested, and an empty line.
    private func show(_ head: ResponseHead?, on output: Output) {
        guard let head, extras.contains(.include) || method == .head else { return }
        let style = output.out.style
        let status = style.text("\(head.statusCode)", as: head.statusCode < 400 ? .good : .bad)
        output.line("\(head.httpVersion ?? "HTTP/1.1") \(status)")
        for (name, value) in head.headers {
            output.line("\(style.text(name.forTerminal, as: .key)): \(value.forTerminal)")
        }
        output.line("")
    }
}
