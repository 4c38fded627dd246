import APIBaseKit
import Foundation
import TestTiers
import Testing

/// The names of secrets.
@Suite(.limited) struct SecretNamesTests {
    private let names = SecretNames(.default, secretHeaders: ["X-Mine"])

    @Test(arguments: [
        "token", "vendor_token", "vendorToken", "vendortoken", "VENDOR-TOKEN", "webhook_secret", "clientSecret",
        "dbPassword",
        "db_passwd", "sshPassphrase", "db_pwd", "apiKey", "api_key", "APIKey", "API_KEY", "AccountKey", "accountkey",
        "mapsKey",
        "session", "sid", "credential", "credentials", "totp", "mfa_code", "otp", "recovery_code", "recoveryCodes",
        "ssn",
        "SharedAccessSignature", "connectionString", "cvv", "pin", "card_number", "user[vendor_token]",
        "user.dbPassword",
        "signature", "shared_key[0]",
    ])
    func `Redaction treats names such as token, apiKey or dbPassword as secret in bodies and queries`(name: String) {
        #expect(names.hasField(name))
        #expect(names.hasQueryName(name))
    }

    @Test(arguments: [
        "monkey", "turkey", "Monkey", "MONKEY", "whiskey", "keyboard", "keyboardLayout", "key_id", "tokens",
        "max_tokens",
        "token_type", "tokenizer", "secretary", "secrets_count", "page_token", "pageToken", "nextPageToken",
        "next_token",
        "NextContinuationToken", "nextSyncToken", "$skiptoken", "idempotency_key", "Idempotency-Key", "primaryKey",
        "foreign_key", "sortKey", "partition_key", "surrogateKey", "dedup_key", "shardKey", "publicKey", "cacheKey",
        "projectKey", "s3_key", "title", "", "-",
        "_", "[]",
    ])
    func `Redaction leaves names that only resemble secret ones, such as monkey or page_token`(name: String) {
        #expect(!names.hasField(name))
        #expect(!names.hasQueryName(name))
    }

    @Test func `Redaction treats the name key as secret in queries, but not in bodies`() {
        #expect(names.hasQueryName("key") && !names.hasField("key"))
    }

    @Test func `Redaction hides a configured field that its rule excepts; with empty rules it hides only headers`() {
        var redaction = RedactionRules.default
        redaction.fields.insert("page_token")
        #expect(SecretNames(redaction, secretHeaders: []).hasField("nextPageToken") == false)
        #expect(SecretNames(redaction, secretHeaders: []).hasField("pageToken"))
        let none = SecretNames(RedactionRules(headers: [], queryNames: [], fields: []), secretHeaders: [])
        #expect(!none.hasField("vendor_token") && !none.hasQueryName("vendor_token"))
        #expect(none.hasHeader("X-Vendor-Token") && none.hasHeader("Cookie"))
    }

    @Test(arguments: [
        "x-mine", "X_Mine", "Authorization", "X-Vendor-Token", "x-vendor-secret", "X-Session-Id", "DPoP",
        "X-Forwarded-Authorization",
    ])
    func `Redaction hides declared, standard and secret-sounding headers, in any case of letters`(name: String) {
        #expect(names.hasHeader(name))
    }

    @Test(arguments: [
        "Token", "AuthToken", "Auth-Token", "X-Token", "X-CSRFToken", "X-Token-Value", "X-Amzn-Oidc-Accesstoken",
        "Authentication", "X-Authentication", "Authentication-Info", "Proxy-Authentication-Info", "X-Auth-User",
        "X-Oauth-Client", "X-Jwt", "X-Jwt-Assertion", "Cf-Access-Jwt-Assertion", "X-Goog-IAP-JWT-Assertion",
        "X-Amzn-Oidc-Data", "X-Ms-Client-Principal", "Session-Id", "X-Session", "Mcp-Session-Id", "SessionID", "X-Sid",
        "X-Otp", "X-GitHub-OTP", "X-Totp", "X-Mfa-Code", "X-2FA", "X-Recovery-Code", "X-Verification-Code",
        "X-Backup-Codes", "X-Passphrase", "CB-ACCESS-PASSPHRASE", "X-Passcode", "X-User-Password", "Password", "X-Pin",
        "X-MBX-APIKEY", "X-ApiKey", "X-Key", "Key", "X-Auth-Key", "APCA-API-KEY", "DD-APPLICATION-KEY",
        "X-Amz-Server-Side-Encryption-Customer-Key", "X-Goog-Encryption-Key", "Signature", "Stripe-Signature",
        "webhook-signature", "svix-signature", "X-Hub-Signature", "X-Hub-Signature-256", "X-Slack-Signature",
        "X-Twilio-Signature", "X-Signature-Ed25519", "X-Shopify-Hmac-Sha256", "X-Hmac", "X_Request_Signature",
        "Cookie2", "X-Set-Cookie", "X-Csrf", "X-Credential", "X-Credentials", "X-Bearer", "X-Client-Secret",
        "X-Secret-Value", "X-SAML-Assertion", "X-Otp-Code", "X-Auth-Code", "X-Two-Factor-Code", "X-TwoFactor-Code",
        "X-2FA-Codes", "X-Authentication-Code", "X-DbPasswd", "X-UserPasscode", "X-UserPwd", "X-Mnemonic", "X-IdJwt",
        "X-Project-Key",
    ])
    func `Redaction hides headers for tokens, sessions, codes for one use, keys and signatures by their words`(
        name: String
    ) {
        #expect(names.hasHeader(name) && names.hasHeader(name.lowercased()))
        #expect(HTTPHeaders([name: "c4n4ry"]).description.contains("c4n4ry") == false)
    }

    @Test(arguments: [
        "Authority", ":authority", "Author", "X-Author", "X-Authors", "X-Authored-By", "Accept", "Accept-Encoding",
        "Accept-Signature", "Access-Control-Allow-Credentials", "Access-Control-Allow-Headers", "Age", "Allow",
        "Cache-Control", "Cache-Key", "X-Cache-Key", "Surrogate-Key", "Idempotency-Key", "X-Idempotency-Key",
        "X-Partition-Key", "X-Ms-Documentdb-Partitionkey", "X-Public-Key", "Public-Key-Pins", "Sec-WebSocket-Key",
        "Sec-WebSocket-Accept", "Content-Digest", "Content-Encoding", "Content-Length", "Content-Security-Policy",
        "Content-Type", "Strict-Transport-Security", "Date", "ETag", "Host", "If-Match", "Link", "Location", "Origin",
        "Retry-After", "Server", "Signature-Input", "Signature-Agent", "traceparent", "Vary", "Via", "Want-Digest",
        "X-Amz-Date", "X-Amz-Meta-Author", "X-Error-Code", "X-Country-Code", "X-Status-Code", "X-OAuth-Scopes",
        "X-Accepted-OAuth-Scopes", "X-RateLimit-Limit-Tokens", "X-RateLimit-Remaining-Tokens", "X-Token-Type",
        "X-Token-Expires-In", "X-Auth-Status", "X-Session-Timeout", "X-Session-Expires", "X-Request-Id",
        "X-Slack-Request-Timestamp", "webhook-id", "webhook-timestamp", "svix-id", "X-Tokenizer", "X-Secretary",
        "X-Sort-Key", "X-Dedup-Key", "X-Shard-Key",
        "X-Monkey", "X-Keyboard", "X-Key-Id", "X-Pinned", "X-Robots-Tag", "X-Powered-By", "", "-",
    ])
    func `Redaction leaves headers whose words only resemble secret ones, or describe a secret`(name: String) {
        #expect(!names.hasHeader(name))
    }

    @Test(arguments: [
        "passcode", "pass_code", "userPasscode", "verification_code", "verificationCode", "backupCode", "backup_codes",
        "recovery-code", "security_code", "sms_code", "otpCode", "login_code", "access_code", "authCode",
        "activation_code", "invite_code", "two_factor_code", "confirmationCode", "user_code", "device_code", "mnemonic",
        "walletMnemonic", "seed", "seed_phrase", "recovery_phrase", "security_answer", "securityAnswers", "pat",
        "bearer", "iban", "idJwt", "jwt", "personal_access_token", "saml_assertion", "oauth_signature",
        "oauth_verifier", "user[passcode]", "codes.backupCode", "mfaCodes", "2faCode", "webhookSignature",
        "PHPSESSIONID", "mapsapikey",
    ])
    func `Redaction hides fields and query items with codes for one use, seeds and answers`(name: String) {
        #expect(names.hasField(name) && names.hasQueryName(name))
    }

    @Test(arguments: [
        "SAMLResponse", "SAMLRequest", "saml_response", "ticket", "magic", "magic_link", "invite", "id_token_hint",
    ])
    func `Redaction hides query items that sign a user in, but not fields of these names`(name: String) {
        #expect(names.hasQueryName(name) && !names.hasField(name))
    }

    @Test(arguments: [
        "zip_code", "postcode", "postalCode", "country_code", "currencyCode", "statusCode", "error_code", "barcode",
        "qrCode", "promo_code", "discountCodes", "product_code", "color_code", "source_code", "geocode", "unicode",
        "decode", "pincode", "language_code", "airport_codes", "codec", "encoder", "seeds", "seeded", "seedling",
        "patient", "path", "pattern", "answer", "answers", "ticket_id", "tickets", "invites", "invited_by", "magical",
        "ibanknote", "bearers", "author", "authority", "authors", "sessions", "session_count", "signatures_count",
        "signed_by", "phrase", "catchphrase", "passenger", "passage", "compass", "token_count", "mnemonics",
        "keyword", "keynote", "hockey", "survey", "description", "created_at", "user", "users", "device", "devices",
        "verification", "verified", "security", "login", "access", "invitee",
    ])
    func `Redaction leaves fields and query items whose names only resemble those of codes and answers`(name: String) {
        #expect(!names.hasField(name) && !names.hasQueryName(name))
    }
}
