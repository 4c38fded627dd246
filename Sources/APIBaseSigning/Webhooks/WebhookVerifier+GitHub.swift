import Basics
import Foundation
import HTTPTransport

extension WebhookVerifier {
    /// Webhooks of GitHub, with the header `X-Hub-Signature-256` ("Validating webhook deliveries"). The older
    /// `X-Hub-Signature`, with SHA-1, is not looked at.
    ///
    /// A delivery carries no signed date, so ``window`` does not matter. To refuse one that is sent again, remember
    /// what `X-GitHub-Delivery` says, which is not signed either.
    ///
    /// - Parameter secrets: The secrets of the webhook. Give the old and the new one while you change them.
    /// - Returns: The check. With an empty secret it fails for every webhook.
    public static func gitHub(_ secrets: [String]) -> WebhookVerifier {
        let name = "X-Hub-Signature-256"
        return WebhookVerifier(keys: secrets.map { HMACKey($0) }) { headers throws(VerificationError) in
            let value = try headers.single(name)
            guard value.hasPrefix("sha256="), let bytes = String(value.dropFirst("sha256=".count)).hexadecimalBytes,
                !bytes.isEmpty
            else { throw .malformedHeader(name: name) }
            return Claim(head: "", signatures: [Data(bytes)])
        } write: { _, _, code in
            [name: "sha256=\(code("").hexadecimal)"]
        }
    }
}
