/// The names of what logs and recordings must not show.
///
/// In a ``CallLog``, in ``APIBase/curlText``, and before a recording keeps anything for its file, the values under
/// these names are replaced by ``marker``:
///
/// - headers, by name: those of ``headers``, always those of `HTTPHeaders.secretNames` and those that the request
///   itself declares secret (`APIBase.secretHeaders`), in requests and responses;
/// - cookies, all of them;
/// - in every URL, wherever it stands (the request's own, `Location`, `Link`, `Referer`, inside of a body): user name
///   and password, and the values of ``queryNames``, in the query and in the fragment. An OAuth `code` is one of them:
///   where an API means something else by it, take the name out;
/// - in bodies, URLs and other headers, the values of ``fields``: of JSON at any depth, of forms
///   (`application/x-www-form-urlencoded` and `multipart/form-data`), of elements, attributes and inputs in XML and
///   HTML, of arguments in GraphQL, and of pairs (`{"name": "password", "value": …}`). A string becomes the marker and
///   a number 0, inside of objects and arrays as well; `true`, `false` and `null` stay. So what decodes a body still
///   does;
/// - in texts that stand in one of these places escaped for URLs, JSON or HTML, up to four of them inside of each
///   other. Where all of them together are more than four times as long as the text around them, the rest are replaced
///   as a whole.
///
/// Every other byte stays as it is.
///
/// A value that was found in one of these places is removed from everywhere else in a recording too, however it is
/// escaped there, if it has at least six bytes: what a server echoes, a token that comes as `{"string": …}` and is sent
/// as `Authorization`. Shorter ones are not, since they could be a part of anything. If a reply's body becomes longer
/// or shorter by it, its `Content-Length` is set to what it has.
///
/// Names are compared without case, `-` and `_`: `api_key` is `apiKey` and `API-Key`. Beside those of a set, the names
/// of fields and in queries are secret that end in `token`, `secret`, `password`, `passwd`, `passphrase` or `pwd`, and
/// those of several words whose last is `key`: `vendor_token`, `dbPassword`, `AccountKey`, but not `monkey`. Not secret
/// by this rule are places in a list (`page_token`, `nextPageToken`, and with `next`, `previous`, `prev`,
/// `continuation`, `sync`, `skip`, `delta`, `cursor`, `start` or `resume` before `token`) and keys that only name
/// something (with `primary`, `foreign`, `partition`, `sort`, `row`, `range`, `unique`, `natural`, `group`, `parent`,
/// `item`, `object`, `s3`, `cache`, `routing`, `translation`, `message`, `project`, `issue`, `public`, `publishable` or
/// `idempotency` before `key`). A name of the set is always secret; an empty set turns the rule
/// off.
///
/// Add the secret names of your own API:
///
/// ```swift
/// var redaction = Redaction.default
/// redaction.fields.insert("iban")
/// ```
public struct Redaction: Sendable, Hashable {
    /// The names of headers, in addition to `HTTPHeaders.secretNames` and to what a request declares secret.
    public var headers: Set<String>

    /// The names in queries and fragments of URLs.
    public var queryNames: Set<String>

    /// The names of fields in JSON and in forms.
    public var fields: Set<String>

    /// Names as they are given. What is empty here leaves such values as they are; the headers of
    /// `HTTPHeaders.secretNames`, cookies and user names in URLs are redacted all the same.
    public init(headers: Set<String>, queryNames: Set<String>, fields: Set<String>) {
        self.headers = headers
        self.queryNames = queryNames
        self.fields = fields
    }

    /// The usual names.
    public static let `default` = Redaction(
        headers: [
            "X-Session-Id", "X-Session-Token", "X-Client-Secret", "X-Secret", "X-Signature", "X-Hub-Signature",
            "X-Hub-Signature-256", "X-Refresh-Token", "Private-Token", "Job-Token", "X-Gitlab-Token", "X-Vault-Token",
            "X-Shopify-Access-Token", "X-RapidAPI-Key", "Ocp-Apim-Subscription-Key", "X-Functions-Key",
            "X-Goog-IAM-Authorization-Token", "X-Access-Key", "X-App-Key", "X-Client-Key",
            "X-Auth-Key", "X-Secret-Key", "X-Password", "X-Authorization",
        ],
        queryNames: credentials.union(["key", "client_id", "sig", "hmac", "auth", "code"]).union(signing),
        fields: credentials.union(["authorization", "cookie"])
    )

    /// The text that stands in place of a secret.
    public static let marker = "REDACTED"

    private static let credentials: Set<String> = [
        "api_key", "app_key", "access_key", "secret_key", "private_key", "token", "access_token", "refresh_token",
        "id_token", "auth_token", "session_token", "security_token", "csrf_token", "xsrf_token", "bearer_token",
        "user_token", "device_token", "oauth_token", "oauth_token_secret", "jwt", "assertion", "client_assertion",
        "password", "passwd", "pwd", "pass", "passphrase", "password_hash", "auth_key", "secret_access_key",
        "aws_secret_access_key", "new_password", "old_password", "current_password",
        "verify_password", "confirm_password", "password_confirmation", "secret", "client_secret", "app_secret",
        "consumer_secret", "session", "session_id", "session_key", "sid", "credential", "credentials", "code_verifier",
        "otp", "totp", "mfa_code", "recovery_code", "recovery_codes", "webhook_secret", "signature", "account_key",
        "shared_access_signature", "connection_string", "ssn", "card_number", "cvc", "cvv", "pin",
    ]

    /// The secret parameters of signed URLs (Amazon, Google, Azure).
    private static let signing: Set<String> = [
        "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "AWSAccessKeyId", "X-Goog-Signature",
        "X-Goog-Credential", "subscription-key",
    ]
}
