import Basics

/// A request to a token endpoint (RFC 6749, section 3.2), or to one like it.
final class OAuthRequest<Reply: Decodable & Sendable>: JSONAPI, Request {
    typealias ModelType = Reply

    private let text: OAuthText

    init(_ form: [(String, String)], to url: URL, of client: OAuthClient) {
        let secrets = form.filter { OAuthSecrets.isSecret($0.0) }.map(\.1)
        text = OAuthText(without: secrets + [client.secret].compactMap(\.self))
        super.init(.post(url.absoluteString))
        if let session = client.session { self.session = session }
        authorization = client.authorization
        content = .form(form)
        // A redirect would send the credentials in the body to another server.
        limits.redirects = 0
        limits.responseBytes = HTTPFailure.bodyLimit
        timeout = .seconds(30)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
    }

    override func error(for failure: HTTPFailure) -> any Error {
        if 300..<400 ~= failure.statusCode {
            let explanation = "A token request follows no redirect. Use the URL that the endpoint itself has."
            return TokenSource.OAuthError(
                code: "redirect",
                explanation: explanation,
                statusCode: failure.statusCode,
                retryAfter: nil
            )
        }
        return refusal(in: failure.body, statusCode: failure.statusCode, RetryAfter.wait(asked: failure))
            ?? super.error(for: failure)
    }

    /// Some servers refuse with status 200.
    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        if let refusal = refusal(in: data, statusCode: 200) { throw refusal }
        return try super.decode(type, from: data)
    }

    /// The error in a response; `nil` if it holds none.
    private func refusal(in data: Data, statusCode: Int, _ retryAfter: Duration? = nil) -> TokenSource.OAuthError? {
        guard let refusal = (try? decoder.decode(OAuthRefusal.self, from: data)) ?? OAuthRefusal(form: data),
            !refusal.error.isEmpty
        else { return nil }
        return TokenSource.OAuthError(
            code: text.code(refusal.error),
            explanation: refusal.errorDescription.flatMap(text.explanation),
            statusCode: statusCode,
            retryAfter: retryAfter
        )
    }
}

private enum OAuthSecrets {
    /// Whether the value of a field is secret.
    static func isSecret(_ name: String) -> Bool { name == "code" || SecretNames.ofMessages.hasField(name) }
}

/// The response of an endpoint that refuses (RFC 6749, section 5.2).
///
/// Some servers make `error` an object with a code and a message, and some write the fields as a form.
private struct OAuthRefusal: Decodable {
    private enum CodingKeys: CodingKey {
        case error, code, type, status, errorDescription, message, description
    }

    let error: String
    let errorDescription: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let object = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .error)
        func text(_ keys: [CodingKeys], in container: KeyedDecodingContainer<CodingKeys>?) -> String? {
            keys.lazy.compactMap { try? container?.decode(String.self, forKey: $0) }.first
        }
        let code = text([.error], in: container) ?? text([.error, .code, .type, .status], in: object)
        error = code?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        errorDescription =
            text([.errorDescription], in: container) ?? text([.errorDescription, .message, .description], in: object)
    }

    init?(form data: Data) {
        guard let fields = try? CallbackFields(String(decoding: data, as: UTF8.self)), let error = fields["error"]
        else {
            return nil
        }
        (self.error, errorDescription) = (error, fields["error_description"])
    }
}
