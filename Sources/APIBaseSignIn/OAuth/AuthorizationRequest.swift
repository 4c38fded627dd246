import Basics

/// One request for a user's authorization (RFC 6749, section 4.1.1), with the proof that its code belongs to this client
/// (RFC 7636).
struct AuthorizationRequest: Sendable {
    /// The random texts of a request. Each is new for each request.
    struct Secrets: Sendable {
        var state = base64URL(randomBytes())
        var verifier = base64URL(randomBytes())

        /// The challenge `S256` (RFC 7636, section 4.2).
        var challenge: String { base64URL(SHA256.digest(of: verifier.utf8)) }
    }

    let secrets: Secrets
    let redirect: URL
    let issuer: String?
    private let text: OAuthText

    /// - Parameters:
    ///   - redirect: The redirect URL.
    ///   - issuer: The identifier of the server, if callbacks name it.
    ///   - clientSecret: The secret of the client, which no error shows.
    ///   - secrets: The random texts of the request.
    init(redirect: URL, issuer: String?, clientSecret: String? = nil, secrets: Secrets = Secrets()) {
        (self.redirect, self.issuer, self.secrets) = (redirect, issuer, secrets)
        text = OAuthText(without: [secrets.state, secrets.verifier] + [clientSecret].compactMap(\.self))
    }

    /// The URL at which the user authorizes the client. What is in the endpoint's query stays there, except for what is
    /// set here: no parameter may be sent twice (RFC 6749, section 3.1).
    func url(at endpoint: URL, id: String, scope: String?, parameters: [String: String]) throws -> URL {
        let own =
            [
                ("response_type", "code"), ("client_id", id), ("redirect_uri", redirect.absoluteString),
                ("state", secrets.state), ("code_challenge", secrets.challenge), ("code_challenge_method", "S256"),
            ] + (scope.map { [("scope", $0)] } ?? [])
        let names = Set(own.map(\.0))
        let more = parameters.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let fields = (own + more).map { "\($0.escapedForForm)=\($1.escapedForForm)" }.joined(separator: "&")
        var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) ?? URLComponents()
        let set = names.union(parameters.keys)
        let kept = (components.percentEncodedQuery ?? "").split(separator: "&").filter {
            !set.contains(CallbackFields.decoded($0.prefix { $0 != "=" }))
        }
        components.percentEncodedQuery = (kept + [fields[...]]).joined(separator: "&")
        components.fragment = nil
        guard let url = components.url else { throw RequestError.invalidURL(.init(.url, .missing)) }
        return url
    }

    /// The code in a callback (RFC 6749, section 4.1.2).
    ///
    /// - Throws: ``TokenSource/SignInError``.
    func code(in callback: URL) throws -> String {
        guard callback.isAt(redirect) else { throw TokenSource.SignInError.notAtRedirect }
        let answer = try CallbackFields(of: callback)
        guard answer["state"] == secrets.state else { throw TokenSource.SignInError.stateMismatch }
        if let issuer, answer["iss"] != issuer {
            throw TokenSource.SignInError.issuerMismatch(expected: issuer, found: answer["iss"].map(text.issuer))
        }
        if let code = answer["error"] {
            let explanation = answer["error_description"].flatMap(text.explanation)
            throw TokenSource.SignInError.denied(code: text.code(code), explanation: explanation)
        }
        guard let code = answer["code"], !code.isEmpty else { throw TokenSource.SignInError.missingCode }
        return code
    }

    private static func randomBytes() -> [UInt8] {
        // The system's generator, which is meant for secrets. 32 bytes are recommended (RFC 7636, section 4.1).
        (0..<32).map { _ in .random(in: .min ... .max) }
    }

    /// Base64 for URLs, without padding (RFC 4648, section 5).
    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// The fields in the query of a callback, or in a form.
struct CallbackFields {
    private(set) var values: [String: String] = [:]

    init(of url: URL) throws {
        try self.init(URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedQuery ?? "")
    }

    init(_ form: String) throws {
        for field in form.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
            let (name, value) = (parts[0], parts.count > 1 ? parts[1] : "")
            guard values.updateValue(value, forKey: name) == nil || !Self.names.contains(name) else {
                throw TokenSource.SignInError.repeatedParameter(name)
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    private static let names: Set = ["code", "state", "iss", "error", "error_description"]

    static func decoded(_ text: Substring) -> String {
        let text = text.replacing("+", with: " ")
        return text.removingPercentEncoding ?? String(text)
    }
}

extension URL {
    /// Whether the URL is the redirect URL, apart from query and fragment.
    fileprivate func isAt(_ redirect: URL) -> Bool {
        guard let own = URLComponents(url: self, resolvingAgainstBaseURL: true),
            let other = URLComponents(url: redirect, resolvingAgainstBaseURL: true)
        else { return false }
        let isWeb = other.scheme?.lowercasedASCII().hasPrefix("http") == true
        func path(_ url: URLComponents) -> String {
            isWeb && url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        }
        // Browsers drop a port that the scheme has anyway.
        func port(_ url: URLComponents) -> Int {
            url.port ?? ["https": 443, "http": 80][url.scheme?.lowercasedASCII() ?? ""] ?? -1
        }
        return own.scheme?.lowercasedASCII() == other.scheme?.lowercasedASCII()
            && own.host?.lowercasedASCII() == other.host?.lowercasedASCII()
            && (port(own), own.user, own.password) == (port(other), other.user, other.password)
            && path(own) == path(other)
    }
}
