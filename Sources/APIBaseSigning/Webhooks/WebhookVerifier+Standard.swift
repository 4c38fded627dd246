import Foundation
import HTTPTransport

extension WebhookVerifier {
    /// Webhooks by the specification of Standard Webhooks, with the headers `webhook-id`, `webhook-timestamp` and
    /// `webhook-signature`. Signatures of the kind `v1`, with a shared secret, are checked; those with public keys
    /// (`v1a`) are passed over. An identifier with a dot is refused, because dots separate what is signed.
    ///
    /// - Parameter secrets: The secrets, in Base64 with or without `whsec_` before it. Give the old and the new one
    ///   while you change them.
    /// - Returns: The check.
    /// - Throws: ``SigningError/malformedSecret(scheme:)`` or ``SigningError/emptyKey``.
    public static func standard(_ secrets: [String]) throws -> WebhookVerifier {
        let keys = try secrets.map { secret in
            let base64 = secret.hasPrefix("whsec_") ? String(secret.dropFirst("whsec_".count)) : secret
            guard let key = HMACKey(base64: base64) else {
                throw SigningError.malformedSecret(scheme: "Standard Webhooks")
            }
            guard !key.bytes.isEmpty else { throw SigningError.emptyKey }
            return key
        }
        return WebhookVerifier(keys: keys) { headers throws(VerificationError) in
            let id = try headers.single("webhook-id")
            // The separator of what is signed must not be in the parts before it.
            guard !id.isEmpty, !id.utf8.contains(UInt8(ascii: ".")) else { throw .malformedHeader(name: "webhook-id") }
            guard let seconds = try headers.single("webhook-timestamp").unixSeconds else {
                throw .malformedHeader(name: "webhook-timestamp")
            }
            let entries = try headers.single("webhook-signature").split(separator: " ")
            let signatures = entries.filter { $0.hasPrefix("v1,") }.map { Data(base64Encoded: String($0.dropFirst(3))) }
            let decoded = signatures.compactMap { $0 }
            guard !decoded.isEmpty, decoded.count == signatures.count, decoded.count <= HTTPHeaders.mostSignatures
            else {
                throw .malformedHeader(name: "webhook-signature")
            }
            return Claim(head: "\(id).\(seconds).", signatures: decoded, id: id, seconds: seconds)
        }
    }
}
