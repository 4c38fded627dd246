internal import StrictJSON

/// The description of a problem in the body of a response (RFC 9457), with the media type `application/problem+json`.
///
/// Every member is optional. One with a value of another type counts as missing (RFC 9457, section 3.1).
///
/// ```swift
/// catch RequestError.httpFailure(let failure) {
///     if let problem = failure.problem { show(problem.title, problem.detail) }
/// }
/// ```
///
/// It is an error, so that an API can fail with it: `failure.problem ?? super.error(for: failure)` in
/// ``JSONAPI/error(for:)``.
public struct ProblemDetails: Error, Decodable, Hashable, Sendable {
    /// The kind of problem: a URI, which may be relative to the URL of the response. `nil` if the server names none,
    /// which means the same as `about:blank`: the status code alone says what the problem is.
    public let type: String?
    /// A short text about the kind of problem.
    public let title: String?
    /// The status code that the server has sent. A proxy may have changed that of the response.
    public let status: Int?
    /// A text about this occurrence of the problem.
    public let detail: String?
    /// A URI of this occurrence, which may be relative to the URL of the response.
    public let instance: String?
    /// The other members, by their names in the JSON (RFC 9457, section 3.2).
    public let extensions: [String: JSONValue]

    /// The secrets of the request, which the description leaves out.
    var secrets = RequestSecrets.none

    /// Decodes an object.
    ///
    /// - Throws: `DecodingError` if the value is no object.
    public init(from decoder: any Decoder) throws {
        var members = try decoder.singleValueContainer().decode([String: JSONValue].self)
        type = members.removeValue(forKey: "type")?.string
        title = members.removeValue(forKey: "title")?.string
        status = members.removeValue(forKey: "status")?.integer.flatMap { Int(exactly: $0) }
        detail = members.removeValue(forKey: "detail")?.string
        instance = members.removeValue(forKey: "instance")?.string
        extensions = members
    }
}

extension ProblemDetails: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// The title, or else the type: up to 300 characters, without control characters, values of secret names, and
    /// secrets of the request, if the problem is that of an ``HTTPFailure``. The other members are left out, since they may quote the request, and with it a key or a token.
    public var description: String {
        let words = [title, type].lazy.compactMap(\.self).first { !$0.isEmpty }
        return words.map { HTTPFailure.presentable($0, without: secrets) }
            ?? "The response describes a problem without a title."
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The status, and what ``description`` shows: `dump` shows nothing else.
    public var customMirror: Mirror {
        Mirror(self, children: ["status": status as Any, "description": description])
    }
}

extension HTTPFailure {
    /// The problem that the body describes (RFC 9457), whatever the settings of the API's decoder.
    ///
    /// `nil` if the media type is another than `application/problem+json`, or if the body is no JSON object, or was cut
    /// off at ``bodyLimit``.
    public var problem: ProblemDetails? {
        guard let type = headers["Content-Type"], MediaType(type) == MediaType("application/problem+json") else {
            return nil
        }
        var problem = try? StrictJSONDecoder().decode(ProblemDetails.self, from: body)
        problem?.secrets = secrets
        return problem
    }
}
