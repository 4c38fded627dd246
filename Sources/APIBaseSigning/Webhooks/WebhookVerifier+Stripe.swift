import Basics
import Foundation
import HTTPTransport

extension WebhookVerifier {
    /// Webhooks of Stripe, with the header `Stripe-Signature` ("Verify webhook signatures manually"). Signatures of the
    /// kind `v1` are checked; all others are passed over.
    ///
    /// - Parameter secrets: The secrets of the endpoint, as Stripe shows them, with `whsec_`. Give the old and the new
    ///   one while you change them.
    /// - Returns: The check. With an empty secret it fails for every webhook.
    public static func stripe(_ secrets: [String]) -> WebhookVerifier {
        let name = "Stripe-Signature"
        return WebhookVerifier(keys: secrets.map { HMACKey($0) }) { headers throws(VerificationError) in
            var (timestamps, signatures) = ([Int64?](), [[UInt8]?]())
            for entry in try headers.single(name).split(separator: ",") {
                let entry = entry.drop { $0 == " " }
                if entry.hasPrefix("t=") { timestamps.append(String(entry.dropFirst(2)).unixSeconds) }
                if entry.hasPrefix("v1=") { signatures.append(String(entry.dropFirst(3)).hexadecimalBytes) }
            }
            let decoded = signatures.compactMap { $0.map { Data($0) } }
            guard timestamps.count == 1, let seconds = timestamps[0], !decoded.isEmpty,
                decoded.count == signatures.count, decoded.count <= HTTPHeaders.mostSignatures
            else { throw .malformedHeader(name: name) }
            return Claim(head: "\(seconds).", signatures: decoded, seconds: seconds)
        } write: { _, seconds, code in
            [name: "t=\(seconds),v1=\(code("\(seconds).").hexadecimal)"]
        }
    }
}
