/// The names of secrets that logs and recordings must not show.
///
/// A ``CallLog``, ``APIBase/curlText`` and recordings replace the values under these names by ``marker``:
///
/// - **Headers**, in requests and responses: ``headers``, `HTTPHeaders.secretNames`, and those that the API
///   declares (`APIBase.secretHeaders`).
/// - **Cookies**: all of them.
/// - **URLs**, wherever they are (the request's own, `Location`, `Link`, `Referer`, in a body): user name and password,
///   and the values of ``queryNames`` in query and fragment. The `code` of OAuth is one of them. If an API means
///   something else by it, remove the name.
/// - **Fields**: the values of ``fields`` in bodies, URLs and other headers. This covers JSON at any depth, forms
///   (`application/x-www-form-urlencoded` and `multipart/form-data`), elements, attributes and inputs in XML and HTML,
///   arguments in GraphQL, and pairs (`{"name": "password", "value": …}`). A string becomes the marker and a number 0,
///   also inside objects and arrays. `true`, `false` and `null` stay, so that the body can still be decoded.
/// - **Encoded texts** in one of these places, escaped for URLs, JSON or HTML, at most four inside each other. If all
///   of them together are more than four times as long as the text around them, the rest is replaced as a whole.
///
/// Every other byte stays the same.
///
/// Every found value of at least six bytes is also removed from all other places, in any spelling: escaped for URLs,
/// forms, JSON or HTML up to four times, as base64 (also inside `Basic` with another text), or as hexadecimal digits,
/// also with colons, hyphens, commas or `0x` between them. White space, line breaks, plus signs and case do not count,
/// so that a value in several lines is found. A log does so for the texts of one call, an error for the text of the
/// server that it shows, a recording for the whole file. This covers a token that the server echoes, and one that an
/// earlier response brought in `{"string": …}`. If the length of a recorded body changes, its `Content-Length` is
/// adjusted.
///
/// A value of less than six bytes is replaced under its name, but stays where it is repeated, since it could be part of
/// any text. A part of a value stays as well, but for the first 64 bytes of a long one, or 128, and so on.
///
/// Bodies in UTF-16 and UTF-32 are read as such if they begin with a byte order mark or an ASCII character, as JSON
/// does.
///
/// Names are compared without case, `-` and `_`: `api_key`, `apiKey` and `API-Key` are the same.
///
/// In addition to those of a set, names of fields and in queries are secret if they end in `token`, `secret`,
/// `password`, `passwd`, `passphrase`, `pwd`, `passcode`, `mnemonic`, `jwt`, `apikey`, `signature` or `sessionid`, or
/// have several words of which the last is `key`: `vendor_token`, `dbPassword`, `AccountKey`, but not `monkey`. So are
/// those that end in `code` or `codes` after a word such as `verification`, `recovery`, `backup`, `security`, `user` or
/// `device`. Names of headers are judged by the same words, see `HTTPHeaders.secretNames`. The rule has exceptions:
///
/// - positions in a list: `page_token`, `nextPageToken`, and `next`, `previous`, `prev`, `continuation`, `sync`,
///   `skip`, `delta`, `cursor`, `start` or `resume` before `token`;
/// - keys that give no access: `primary`, `partition`, `sort`, `group`, `object`, `cache`, `surrogate`, `dedup`,
///   `deduplication`, `shard`, `sharding`, `routing`, `message`, `websocket`, `public`, `publishable` or `idempotency`
///   before `key`;
/// - keys of records, which are no exception in names of headers: `foreign`, `row`, `range`, `unique`, `natural`,
///   `parent`, `item`, `s3`, `translation`, `project` or `issue` before `key`.
///
/// A name in the set is always secret. An empty set turns the rule off.
///
/// Add the secret names of your API:
///
/// ```swift
/// var redaction = RedactionRules.default
/// redaction.fields.insert("tax_number")
/// ```
public struct RedactionRules: Sendable, Hashable {
    /// The names of headers, in addition to `HTTPHeaders.secretNames` and to what a request declares secret.
    public var headers: Set<String>

    /// The names in queries and fragments of URLs.
    public var queryNames: Set<String>

    /// The names of fields in JSON and in forms.
    public var fields: Set<String>

    /// Creates a set of names, without the usual ones.
    ///
    /// With an empty set, the values of that kind stay the same. The headers of `HTTPHeaders.secretNames`, cookies and
    /// user names in URLs are always redacted.
    public init(headers: Set<String>, queryNames: Set<String>, fields: Set<String>) {
        self.headers = headers
        self.queryNames = queryNames
        self.fields = fields
    }

    /// The usual names.
    public static let `default` = RedactionRules(
        headers: [
            "X-Session-Id", "X-Session-Token", "X-Client-Secret", "X-Secret", "X-Signature", "X-Hub-Signature",
            "X-Hub-Signature-256", "X-Refresh-Token", "Private-Token", "Job-Token", "X-Gitlab-Token", "X-Vault-Token",
            "X-Shopify-Access-Token", "X-RapidAPI-Key", "Ocp-Apim-Subscription-Key", "X-Functions-Key",
            "X-Goog-IAM-Authorization-Token", "X-Access-Key", "X-App-Key", "X-Client-Key",
            "X-Auth-Key", "X-Secret-Key", "X-Password", "X-Authorization",
        ],
        queryNames: credentials.union([
            "key", "client_id", "sig", "hmac", "auth", "code", "SAMLResponse", "SAMLRequest", "ticket", "magic",
            "magic_link", "invite", "id_token_hint",
        ])
        .union(signing),
        fields: credentials.union(["authorization", "cookie"])
    )

    /// The text that replaces a secret.
    public static let marker = "REDACTED"

    private static let credentials: Set<String> = [
        "api_key", "app_key", "access_key", "secret_key", "private_key", "token", "access_token", "refresh_token",
        "id_token", "auth_token", "session_token", "security_token", "csrf_token", "xsrf_token", "bearer_token",
        "user_token", "device_token", "oauth_token", "oauth_token_secret", "jwt", "assertion", "client_assertion",
        "password", "passwd", "pwd", "pass", "passphrase", "password_hash", "auth_key", "secret_access_key",
        "aws_secret_access_key", "new_password", "old_password", "current_password",
        "verify_password", "confirm_password", "password_confirmation", "secret", "client_secret", "app_secret",
        "consumer_secret", "session", "session_id", "session_key", "sid", "credential", "credentials", "code_verifier",
        "device_code",
        "otp", "totp", "mfa_code", "recovery_code", "recovery_codes", "webhook_secret", "signature", "account_key",
        "shared_access_signature", "connection_string", "ssn", "card_number", "cvc", "cvv", "pin", "bearer", "pat",
        "seed", "seed_phrase", "recovery_phrase", "security_answer", "security_answers", "secret_answer", "iban",
        "saml_assertion", "oauth_signature", "oauth_verifier",
    ]

    /// The secret parameters of signed URLs (Amazon, Google, Azure).
    private static let signing: Set<String> = [
        "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "AWSAccessKeyId", "X-Goog-Signature",
        "X-Goog-Credential", "subscription-key",
    ]
}
