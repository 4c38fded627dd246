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
        call.content = try content()
        call.authorization = try credentials?.authorization(in: context.environment)
        if retries > 0 { call.retry = RetryPolicy(attempts: retries + 1) }
        if !followsRedirects { call.limits.redirects = 0 }
        if !isStream { call.limits.responseBytes = Self.largestReply }
        call.timeout = .seconds(timeout ?? 3_600)
        if let timeout { call.limits.idle = .seconds(timeout) }
        // What must not be sent is the fault of the arguments, also for `--curl`, which would only comment on it.
        _ = try call.buildURLRequest()
        return call
    }

    /// The limit for a reply that is shown on a terminal, in bytes: it is held in memory.
    private static let largestReply = 64 << 20

    private func content() throws -> HTTPBody? {
        guard let body else { return try items.body() }
        guard body == "-" else {
            let file = URL(fileURLWithPath: body)
            return .file(file, type: MediaType.of(file))
        }
        let data = try FileHandle.standardInput.readToEnd() ?? Data()
        return .data(data, type: JSONText(data) == nil ? nil : "application/json")
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
