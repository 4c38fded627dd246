import APIBaseKit

/// A call to a URL of the command line. Its value is the response, whatever the status.
final class HTTPCall: APIBase, LinkPagedRequest {
    typealias ModelType = DataResponseTuple

    var onEvent: @Sendable (CallEvent) -> Void = { _ in }

    var accepted = 200..<300

    func start() -> AnyPublisher<DataResponseTuple, any Error> { sendRequest() }

    override func accepts(_ response: HTTPURLResponse) -> Bool { accepted.contains(response.statusCode) }

    override func report(_ event: CallEvent) { onEvent(event) }
}

extension HTTPJob {
    /// Reads the files and variables that the arguments name. With `isStream`, the response may have any size.
    func call(in context: Context, isStream: Bool = false) throws -> HTTPCall {
        let call = HTTPCall()
        try prepare(call, in: context, isStream: isStream)
        return call
    }

    /// Gives a call the settings of the arguments.
    func prepare(_ call: APIBase, in context: Context, isStream: Bool) throws {
        call.method = method
        call.baseURL = url
        call.queryItems = try items.query()
        call.headers["Accept"] = accept
        let headers = try items.headers()
        for (name, _) in headers { call.headers.remove(name: name) }
        for case (let name, let value?) in headers { call.headers.add(name: name, value: value) }
        call.content = try content(in: context)
        call.authorization = try authorization(in: context.environment)
        if retries > 0 { call.retry = RetryPolicy(attempts: retries + 1) }
        if !followsRedirects { call.limits.redirects = 0 }
        if !isStream { call.limits.responseBytes = Self.maximumResponseSize }
        call.timeout = .seconds(timeout ?? 3_600)
        if let timeout { call.limits.idle = .seconds(timeout) }
        if let session = connection.session { call.session = session }
        // An invalid request is an error of the arguments, also with `--curl`.
        _ = try call.buildURLRequest()
    }

    /// The maximum size in bytes of a response that is held in memory.
    private static let maximumResponseSize = 64 << 20

    private func content(in context: Context) throws -> HTTPBody? {
        if let body {
            guard body == "-" else { return try .readable(at: body, as: "FILE") }
            return typed(try context.input?.read() ?? Data())
        }
        guard takesInput, let input = context.input, input.isRedirected else { return try items.body() }
        let data = try input.read {
            let hint = "Use \(Option.ignoreInput.name) to send no body."
            context.output.error("apibase: Waiting for the end of the standard input, which is the body. \(hint)")
        }
        return data.isEmpty ? nil : typed(data)
    }

    private func typed(_ data: Data) -> HTTPBody {
        .data(data, type: JSONText(data) == nil ? nil : "application/json")
    }

    private func authorization(in environment: [String: String]) throws -> Authorization? {
        if let bearer { return .bearer(try bearer.resolved(.bearer, in: environment)) }
        guard let text = try basic?.resolved(.basic, in: environment) else { return nil }
        guard let colon = text.firstIndex(of: ":") else {
            throw UsageError.unavailable(Option.basic.name, reason: "it is not USER:PASSWORD")
        }
        return .basic(user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
    }
}
