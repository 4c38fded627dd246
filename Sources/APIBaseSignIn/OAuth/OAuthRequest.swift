import Basics

/// A request to a token endpoint (RFC 6749, section 3.2), or to one like it.
final class OAuthRequest<Reply: Decodable & Sendable>: OAuthCall, Request {
    typealias ModelType = Reply

    override init(_ form: [(String, String)], to url: URL, of client: OAuthClient) {
        super.init(form, to: url, of: client)
        // A form is taken, but not asked for.
        acceptedTypes.append(OAuthForm.type)
        headers["Accept"] = "application/json"
    }

    /// Some servers refuse with status 200.
    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        let body = OAuthForm.json(in: data, type: response?.value(forHTTPHeaderField: "Content-Type"))
        if let refusal = refusal(in: body, statusCode: 200) { throw refusal }
        return try super.decode(type, from: body)
    }
}

/// A request to a revocation endpoint (RFC 7009, section 2.1). The status says all; the body is ignored.
final class RevocationRequest: OAuthCall, Request {
    typealias ModelType = Void

    override init(_ form: [(String, String)], to url: URL, of client: OAuthClient) {
        super.init(form, to: url, of: client)
        acceptedTypes = ["*/*"]
        headers["Accept"] = "application/json"
    }
}

/// A call in which a client posts a form to its authorization server.
class OAuthCall: AuthorizationServerCall {
    private let text: OAuthText

    init(_ form: [(String, String)], to url: URL, of client: OAuthClient) {
        let secrets = form.filter { $0.0 == "code" || SecretNames.ofMessages.hasField($0.0) }.map(\.1)
        text = OAuthText(without: secrets + [client.secret].compactMap(\.self))
        super.init(.post(EndpointPath(url.absoluteString)), client.session)
        authorization = client.authorization
        content = .form(form)
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
        let body = OAuthForm.json(in: failure.body, type: failure.headers["Content-Type"])
        return refusal(in: body, statusCode: failure.statusCode, RetryAfter.wait(asked: failure))
            ?? super.error(for: failure)
    }

    /// The error in a response; `nil` if it holds none.
    fileprivate func refusal(in body: Data, statusCode: Int, _ retryAfter: Duration? = nil) -> TokenSource.OAuthError? {
        guard let refusal = try? decoder.decode(OAuthRefusal.self, from: body), !refusal.error.isEmpty else {
            return nil
        }
        return TokenSource.OAuthError(
            code: text.code(refusal.error),
            explanation: refusal.errorDescription.flatMap(text.explanation),
            statusCode: statusCode,
            retryAfter: retryAfter
        )
    }
}

/// A response that is a form, as some servers write it in place of JSON.
private enum OAuthForm {
    static let type = "application/x-www-form-urlencoded"

    /// The fields of a form as JSON; any other body as it is.
    ///
    /// A page or a text with `&error=` in it is no form: its type is another, its names are not those of fields, or what
    /// stands in place of the code is no code.
    static func json(in body: Data, type: String?) -> Data {
        let types = [MediaType(self.type), MediaType("text/plain")]
        guard let type, types.contains(MediaType(type)), let text = String(data: body, encoding: .utf8),
            let fields = try? CallbackFields(text.trimmingCharacters(in: .whitespacesAndNewlines)),
            fields.values.keys.allSatisfy({ $0.utf8.allSatisfy { $0.isUnreserved } }),
            fields["error"].map({ $0.isEmpty || OAuthText.isCode($0) }) ?? true,
            let json = try? JSONEncoder().encode(fields.values)
        else { return body }
        return json
    }
}

/// The response of an endpoint that refuses (RFC 6749, section 5.2).
///
/// Some servers make `error` an object with a code and a message.
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
}
