import Foundation
import HTTPTransport

extension WebhookVerifier {
    /// Webhooks by the specification of Standard Webhooks, with the headers `webhook-id`, `webhook-timestamp` and
    /// `webhook-signature`, or with `svix-id`, `svix-timestamp` and `svix-signature`, as Svix sends them for most of its
    /// customers. Signatures of the kind `v1`, with a shared secret, are checked; those with public keys (`v1a`) are
    /// passed over. An identifier with a dot is refused, because dots separate what is signed.
    ///
    /// The three headers have the same prefix: the first of which all three are there, and the others are not looked at.
    /// So `webhook-` wins over `svix-`. If none is complete, the error names what is missing of the first that has begun.
    ///
    /// - Parameters:
    ///   - secrets: The secrets, in Base64 with or without `whsec_` before it. Give the old and the new one while you
    ///     change them.
    ///   - prefixes: How the names of the headers begin, for services that give them names of their own, such as
    ///     `["shop-webhook-"]`.
    /// - Returns: The check.
    /// - Throws: ``SigningError/malformedSecret(scheme:)`` or ``SigningError/emptyKey``.
    public static func standard(
        _ secrets: [String],
        prefixes: [String] = ["webhook-", "svix-"]
    ) throws -> WebhookVerifier {
        let keys = try secrets.map { secret in
            let base64 = secret.hasPrefix("whsec_") ? String(secret.dropFirst("whsec_".count)) : secret
            guard let key = HMACKey(base64: base64) else {
                throw SigningError.malformedSecret(scheme: "Standard Webhooks")
            }
            guard !key.bytes.isEmpty else { throw SigningError.emptyKey }
            return key
        }
        return WebhookVerifier(keys: keys) { headers throws(VerificationError) in
            let names = Names(prefix: headers.prefix(of: prefixes))
            let id = try headers.single(names.id)
            guard id.isWebhookID else { throw .malformedHeader(name: names.id) }
            guard let seconds = try headers.single(names.timestamp).unixSeconds else {
                throw .malformedHeader(name: names.timestamp)
            }
            let entries = try headers.single(names.signature).split(separator: " ")
            let signatures = entries.filter { $0.hasPrefix("v1,") }.map { Data(base64Encoded: String($0.dropFirst(3))) }
            let decoded = signatures.compactMap { $0 }
            guard !decoded.isEmpty, decoded.count == signatures.count, decoded.count <= HTTPHeaders.mostSignatures
            else {
                throw .malformedHeader(name: names.signature)
            }
            return Claim(head: "\(id).\(seconds).", signatures: decoded, id: id, seconds: seconds)
        } write: { id, seconds, code throws(SigningError) in
            let names = Names(prefix: HTTPHeaders().prefix(of: prefixes))
            let signature = Data(code("\(id).\(seconds).")).base64EncodedString()
            let headers: HTTPHeaders = [
                names.id: id, names.timestamp: "\(seconds)", names.signature: "v1,\(signature)",
            ]
            guard id.isWebhookID, (try? headers.single(names.id)) == id else { throw .invalidHeader(name: names.id) }
            return headers
        }
    }
}

/// The names of the three headers.
private struct Names {
    let id, timestamp, signature: String

    init(prefix: String) {
        (id, timestamp, signature) = (prefix + "id", prefix + "timestamp", prefix + "signature")
    }
}

extension String {
    /// Whether this can be an identifier: the dot separates the parts of what is signed.
    fileprivate var isWebhookID: Bool { !isEmpty && !utf8.contains(UInt8(ascii: ".")) }
}

extension HTTPHeaders {
    /// The first prefix with which all three headers are there, or else one, or else the first of all.
    fileprivate func prefix(of prefixes: [String]) -> String {
        func count(_ prefix: String) -> Int {
            ["id", "timestamp", "signature"].filter { contains(name: prefix + $0) }.count
        }
        return prefixes.first { count($0) == 3 } ?? prefixes.first { count($0) > 0 } ?? prefixes.first ?? "webhook-"
    }
}
