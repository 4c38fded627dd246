import APIBaseKit

extension HTTPJob {
    /// The call, with what is in files and in variables.
    ///
    /// - Parameters:
    ///   - context: Where secrets may be.
    ///   - isStream: Whether its reply is read as it comes, so that it may have any size.
    /// - Returns: The call.
    /// - Throws: ``UsageError`` for a secret that cannot be had, a file that cannot be read, and what the kit refuses to send.
    func call(in context: Context, isStream: Bool = false) throws -> HTTPCall {
        let call = HTTPCall()
        call.method = method
        call.baseURL = url
        call.queryItems = try items.query()
        call.headers["Accept"] = accept
        let headers = try items.headers()
        for (name, _) in headers { call.headers.remove(name: name) }
        for case (let name, let value?) in headers { call.headers.add(name: name, value: value) }
        call.content = try content(in: context)
        call.authorization = try credentials?.authorization(in: context.environment)
        if retries > 0 { call.retry = RetryPolicy(attempts: retries + 1) }
        if !followsRedirects { call.limits.redirects = 0 }
        if !isStream { call.limits.responseBytes = Self.largestReply }
        call.timeout = .seconds(timeout ?? 3_600)
        if let timeout { call.limits.idle = .seconds(timeout) }
        if let session = try connection.session(in: context.environment) { call.session = session }
        // What must not be sent is the fault of the arguments, also for `--curl`, which would only comment on it.
        _ = try call.buildURLRequest()
        return call
    }

    /// The limit for a reply that is shown on a terminal, in bytes: it is held in memory.
    private static let largestReply = 64 << 20

    private func content(in context: Context) throws -> HTTPBody? {
        guard body == nil else { return try named(body ?? "", in: context) }
        guard takesInput, let input = context.input, input.isRedirected else { return try items.body() }
        let data = try input.read {
            context.output.error(
                "apibase: The standard input is the body, and has not ended. \(Option.ignoreInput.name) sends none."
            )
        }
        return data.isEmpty ? nil : typed(data)
    }

    private func named(_ path: String, in context: Context) throws -> HTTPBody {
        if path == "-" { return typed(try context.input?.read() ?? Data()) }
        let file = URL(fileURLWithPath: path)
        return try .readable(file, named: path, type: MediaType.of(file), as: "FILE")
    }

    private func typed(_ data: Data) -> HTTPBody {
        .data(data, type: JSONText(data) == nil ? nil : "application/json")
    }
}

extension HTTPBody {
    /// A file that can be read now.
    ///
    /// - Throws: ``UsageError/unavailable(_:reason:)``, with the path that was given and what it was given for.
    static func readable(_ file: URL, named path: String, type: String?, as name: String) throws(UsageError) -> HTTPBody
    {
        let body = HTTPBody.file(file, type: type)
        guard body.problem == nil else { throw .unavailable(name, reason: "\(path) is no readable file") }
        return body
    }
}

extension HTTPJob.Credentials {
    fileprivate func authorization(in environment: [String: String]) throws(UsageError) -> Authorization {
        switch self {
        case .bearer(let secret): return .bearer(try secret.resolved(.bearer, in: environment))
        case .basic(let secret):
            let text = try secret.resolved(.basic, in: environment)
            guard let colon = text.firstIndex(of: ":") else {
                throw .unavailable(Option.basic.name, reason: "it is not USER:PASSWORD")
            }
            return .basic(user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
        }
    }
}
