import APIBaseKit
import Basics
import Foundation
import HTTPTransport

/// Takes what is secret out of entries, and remembers it.
struct Redactor {
    private let names: SecretNames
    /// The secrets that have been found.
    private(set) var secrets = Secrets()

    /// - Parameters:
    ///   - redaction: What is secret.
    ///   - secretHeaders: The headers that this one request declares secret.
    init(_ redaction: Redaction, secretHeaders: Set<String> = []) {
        names = SecretNames(redaction, secretHeaders: secretHeaders)
    }

    /// Redacts everything that is known to be secret by its place.
    mutating func redact(_ entry: inout HAR.Entry) {
        redact(&entry.request)
        let response = entry.response
        entry.response.headers = redacted(response.headers)
        entry.response.cookies = cookies(response.cookies)
        entry.response.redirectURL = redacted(response.redirectURL)
        redact(&entry.response.content)
        entry.response.fixLength(from: response)
        entry.comment = entry.comment.map { redacted($0) }
    }

    /// Redacts everything in a request that is known to be secret by its place.
    mutating func redact(_ request: inout HAR.Request) {
        request.url = redacted(request.url)
        request.queryString = redacted(request.queryString, if: names.hasQueryName)
        request.headers = redacted(request.headers)
        request.cookies = cookies(request.cookies)
        guard var body = request.postData else { return }
        if let params = body.params { body.params = redacted(params, if: names.hasField) }
        if body.text != nil, let data = body.data, let clean = redactedBody(data, type: body.mimeType) {
            let redacted = HAR.PostData(clean, type: body.mimeType)
            (body.text, body.encoding) = (redacted.text, redacted.encoding)
        }
        request.postData = body
    }

    private mutating func redact(_ content: inout HAR.Content) {
        guard content.text != nil, let data = content.data, let clean = redactedBody(data, type: content.mimeType)
        else { return }
        content = HAR.Content(clean, type: content.mimeType)
    }

    /// Remembers a value, unless it is one of the words that mark the secret places: removing it would remove those.
    private mutating func remember(_ value: some Collection<UInt8>) {
        if !names.isName(ofField: Array(value)) { secrets.insert(value) }
    }
}

// MARK: Headers and cookies

extension Redactor {
    private mutating func redacted(_ headers: [HAR.Field]) -> [HAR.Field] {
        headers.map { field in
            var field = field
            if names.hasHeader(field.name) {
                rememberHeader(field)
                field.value = Redaction.marker
            } else {
                field.value = redacted(field.value)
            }
            return field
        }
    }

    private mutating func cookies(_ cookies: [HAR.Field]) -> [HAR.Field] { redacted(cookies) { _ in true } }

    private mutating func redacted(_ fields: [HAR.Field], if isSecret: (String) -> Bool) -> [HAR.Field] {
        fields.map { field in
            guard isSecret(field.name), !field.value.isEmpty else {
                return HAR.Field(name: field.name, value: redacted(field.value))
            }
            remember(field.value.utf8)
            return HAR.Field(name: field.name, value: Redaction.marker)
        }
    }

    /// Remembers what in the value of a secret header is the secret itself.
    private mutating func rememberHeader(_ field: HAR.Field) {
        switch field.name.lowercased() {
        case "www-authenticate", "proxy-authenticate": break
        case "cookie": for pair in field.value.split(separator: ";") { rememberCookie(pair) }
        case "set-cookie":
            // Foundation joins several by commas, and dates have some as well.
            for part in field.value.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
                let pair = part.prefix { $0 != ";" }
                if pair.contains("=") { rememberCookie(pair) }
            }
        default:
            for secret in Credentials.secrets(of: field.value, isHeader: true) { remember(secret) }
        }
    }

    private mutating func rememberCookie(_ pair: Substring) {
        let value = pair.firstIndex(of: "=").map { pair[$0...].dropFirst() } ?? pair
        remember(value.trimmingCharacters(in: CharacterSet(charactersIn: " \"")).utf8)
    }
}

// MARK: Text

extension Redactor {
    private mutating func redacted(_ text: String) -> String {
        guard let (clean, found) = names.redactedText(text) else { return text }
        take(found)
        return clean
    }

    /// The body without its secrets; nil if there are none.
    private mutating func redactedBody(_ body: Data, type: String) -> Data? {
        guard let (bytes, found) = names.redactedBody(Array(body), type: type) else { return nil }
        take(found)
        return Data(bytes)
    }

    private mutating func take(_ found: [[UInt8]]) {
        for value in found {
            let parts = String(valid: value).map { Credentials.secrets(of: $0, isHeader: false) }
            for secret in parts ?? [value] { remember(secret) }
        }
    }
}
