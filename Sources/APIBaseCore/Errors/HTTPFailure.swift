import Foundation
import HTTPTransport

/// A response that was not accepted.
public struct HTTPFailure: Sendable, Hashable, CustomStringConvertible {
    /// The largest body that is kept, in bytes: 1 MiB. The rest is dropped.
    public static let bodyLimit = 1 << 20

    /// The status code.
    public let statusCode: Int
    /// The headers.
    public let headers: HTTPHeaders
    /// The body, up to ``bodyLimit``.
    public let body: Data
    /// The URL of the response, without user-info and query values. `nil` if the response had no URL.
    public let url: URL?

    private var decoder: BodyDecoder
    /// The API's own error.
    private(set) var detail = FailureDetail.none
    /// The secrets of the call, which the texts leave out.
    var secrets = RequestSecrets.none

    package init(_ reply: (data: Data, response: HTTPURLResponse), by decoder: BodyDecoder = .plain) {
        self.decoder = decoder
        statusCode = reply.response.statusCode
        headers = HTTPHeaders(reply.response.headerDictionary)
        body = reply.data.count > Self.bodyLimit ? Data(reply.data.prefix(Self.bodyLimit)) : reply.data
        url = reply.response.url?.redacted
    }

    func readable(by decoder: BodyDecoder) -> HTTPFailure {
        var failure = self
        failure.decoder = decoder
        return failure
    }

    package func removing(_ secrets: RequestSecrets) -> HTTPFailure {
        var failure = self
        failure.secrets = failure.secrets.and(secrets)
        failure.detail = detail.removing(secrets)
        return failure
    }

    func with(_ detail: (any Error)?) -> HTTPFailure {
        var failure = self
        failure.detail = FailureDetail(error: detail?.without(secrets))
        return failure
    }

    /// The sentence of ``RequestError/httpFailure(_:)``.
    var sentence: String { detail.text(without: secrets) ?? description }

    /// The beginning of a sentence about the failure.
    var subject: String { "The response\(place) with status \(statusCode)" }

    private var place: String { shownURL.map { " from \($0.absoluteString)" } ?? "" }

    /// The URL, to which a server may have redirected.
    private var shownURL: URL? { secrets.removed(from: url) }

    /// The status, the URL, and the text of the API's own error (``detail(as:)``), or else the `title` of a problem
    /// (`application/problem+json`, RFC 9457): up to 300 characters, without control characters, values of secret names,
    /// and secrets of the request in any spelling. Headers and the rest of the body are left out, since they may hold
    /// secrets; only a 405 or 415 also names the ``acceptedQueryTypes``.
    public var description: String {
        let words = (detail.text(without: secrets) ?? problemText).map { ": “\($0)”" } ?? ""
        return "The response\(place) has status \(statusCode)\(words).\(queryTypesText ?? "")"
    }
}

extension HTTPFailure: CustomReflectable {
    /// The status and the URL: `dump` shows neither headers nor the body.
    public var customMirror: Mirror {
        Mirror(self, children: ["statusCode": statusCode, "url": shownURL as Any])
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
    /// Decodes the body.
    ///
    /// ```swift
    /// catch RequestError.httpFailure(let failure) {
    ///     let problem = try failure.decode(Problem.self)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the API's error bodies.
    ///   - decoder: The decoder. By default, that of the ``JSONAPI`` whose call failed: its ``JSONAPI/decoder``, with
    ///     ``JSONAPI/usesStrictJSON``. For other classes, a new `JSONDecoder`.
    /// - Returns: The decoded body.
    /// - Throws: The error of the decoder.
    public func decode<Problem: Decodable>(
        _ type: Problem.Type,
        decoder: JSONDecoder? = nil
    ) throws -> Problem {
        try decoder?.decode(type, from: body) ?? self.decoder.decode(type, from: body)
    }
}

extension HTTPFailure {
    /// The media types of the queries that the resource takes with `QUERY`, by `Accept-Query`; `nil` if the response does
    /// not say. A 415 or 405 may, and so may responses to other methods.
    public var acceptedQueryTypes: [String]? { headers.acceptedQueryTypes }

    private var queryTypesText: String? {
        guard [405, 415].contains(statusCode), let types = acceptedQueryTypes, !types.isEmpty else { return nil }
        return " It takes queries of \(Self.presentable(types.joined(separator: ", "), without: secrets))."
    }

    /// The title of a problem (RFC 9457, section 3.1.3); `nil` if it is missing or has another type (section 3.1).
    ///
    /// The `detail` is left out, since it may quote the request, and with it a key or a token.
    private var problemText: String? {
        guard body.count <= Self.problemLimit, let title = problem?.title, !title.isEmpty else { return nil }
        return Self.presentable(title, without: secrets)
    }

    /// The beginning of a text that a server has sent, without control characters, values of secret names, and the
    /// secrets of the call in any spelling: at most this number of characters.
    package static func presentable(
        _ text: String,
        without secrets: RequestSecrets = .none,
        limit: Int = textLimit
    ) -> String {
        // Only the beginning is searched for secrets, since that takes time. Its end may be a long part of one.
        let beginning = text.beginning(4 * max(limit, textLimit))
        let isWhole = beginning.utf8.count == text.utf8.count
        let clean = withoutSecrets(secrets.removed(from: beginning)).dropLast(isWhole ? 0 : 3 * textLimit)
        let shown = String(clean).withoutControls
        return isWhole && shown.count <= limit ? shown : "\(shown.prefix(limit))…"
    }

    /// The text without values after secret names, also in prose: `token=…`, `Authorization: Bearer …`.
    package static func withoutSecrets(_ text: String) -> String {
        SecretNames.ofMessages.withoutSecrets(inMessage: text)
    }

    /// The longest body that is searched for a problem, in bytes, and the longest title that is shown, in characters.
    private static let problemLimit = 64 << 10
    package static let textLimit = 300
}
