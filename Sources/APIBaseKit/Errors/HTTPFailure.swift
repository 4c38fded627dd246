/// A reply that was not accepted, with what the server said.
public struct HTTPFailure: Sendable, Hashable, CustomStringConvertible {
    /// The largest body that is kept, in bytes: 1 MiB. What is beyond it is dropped.
    public static let bodyLimit = 1 << 20

    /// The status code of the reply.
    public let statusCode: Int
    /// The headers of the reply.
    public let headers: HTTPHeaders
    /// The body of the reply, up to ``bodyLimit``.
    public let body: Data
    /// The URL that the reply came from, without user-info and query values. `nil` if the response had no URL.
    public let url: URL?

    private var decoder: ReplyDecoder

    /// - Parameters:
    ///   - reply: The reply.
    ///   - decoder: The decoder of the API that it is from.
    init(_ reply: (data: Data, response: HTTPURLResponse), by decoder: ReplyDecoder = .plain) {
        self.decoder = decoder
        statusCode = reply.response.statusCode
        headers = HTTPHeaders(reply.response.headerDictionary)
        body = reply.data.count > Self.bodyLimit ? Data(reply.data.prefix(Self.bodyLimit)) : reply.data
        url = reply.response.url?.redacted
    }

    /// The same failure, of an API that has a decoder.
    func readable(by decoder: ReplyDecoder) -> HTTPFailure {
        var failure = self
        failure.decoder = decoder
        return failure
    }

    /// The beginning of a sentence about the failure.
    var subject: String {
        let place = url.map { " from \($0.absoluteString)" } ?? ""
        return "The reply\(place) with status \(statusCode)"
    }

    /// The status and the URL, and the `title` of a problem (`application/problem+json`, RFC 9457): up to 300 characters, without
    /// control characters and what is secret by its name. Never a header or more of the body, which may hold secrets.
    public var description: String {
        let place = url.map { " from \($0.absoluteString)" } ?? ""
        let words = problemText.map { ": “\($0)”" } ?? ""
        return "The reply\(place) has status \(statusCode)\(words)."
    }
}

extension HTTPFailure: CustomReflectable {
    /// The status and the URL: `dump` shows no header and no body either.
    public var customMirror: Mirror {
        Mirror(self, children: ["statusCode": statusCode, "url": url as Any])
    }
}

/// Matches a failure by its status, so that `case .httpFailure(404)` works.
public func ~= (statusCode: Int, failure: HTTPFailure) -> Bool {
    statusCode == failure.statusCode
}

/// Matches a failure by a range of statuses, so that `case .httpFailure(500..<600)` works.
public func ~= (statusCodes: some RangeExpression<Int>, failure: HTTPFailure) -> Bool {
    statusCodes.contains(failure.statusCode)
}

extension HTTPFailure {
    /// Decodes what the server said from the body.
    ///
    /// ```swift
    /// catch RequestError.httpFailure(let failure) {
    ///     let problem = try failure.decode(Problem.self)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the API's error bodies.
    ///   - decoder: What reads the body. `nil`, the default, reads it as the ``JSONAPI`` whose call failed reads its replies: by
    ///     its ``JSONAPI/decoder``, and as ``JSONAPI/usesStrictJSON`` says. For the call of another class that is a new
    ///     `JSONDecoder`.
    /// - Returns: The decoded body.
    /// - Throws: What the decoder throws for a body of another shape.
    public func decode<Problem: Decodable>(
        _ type: Problem.Type,
        using decoder: JSONDecoder? = nil
    ) throws -> Problem {
        try decoder?.decode(type, from: body) ?? self.decoder.decode(type, from: body)
    }
}
