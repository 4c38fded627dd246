import APIBaseKit
import Foundation
import Testing

/// The names of secrets.
@Suite(.timeLimit(.minutes(1))) struct SecretNamesTests {
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
        "foreign_key", "sortKey", "partition_key", "publicKey", "cacheKey", "projectKey", "s3_key", "title", "", "-",
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
}
