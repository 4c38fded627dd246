import APIBaseSigning
import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Messages that repeat a key, and keys in a wrong form.
@Suite struct HiddenKeyTests {
    private static let key = "S3cr+t/Val=ue&x"

    /// Ways in which a message may write the key.
    private static let spellings: [String] = {
        let bytes = Data(key.utf8)
        let base64 = bytes.base64EncodedString()
        let percent = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        return [
            key, base64, base64.replacing("+", with: "-").replacing("/", with: "_"), percent, percent.lowercased(), hex,
        ]
            + [hex.uppercased(), key.replacing("&", with: "&amp;"), key.replacing("/", with: "\\/"), "whsec_\(base64)"]
    }()

    private static let verifiers: [(name: String, make: @Sendable (String) throws -> WebhookVerifier)] = [
        ("webhook", { try .standard(["whsec_\(Data($0.utf8).base64EncodedString())"]) }), ("stripe", { .stripe([$0]) }),
        ("github", { .gitHub([$0]) }),
    ]

    @Test(arguments: spellings)
    func `The error of a webhook whose headers repeat the key does not show the key in any spelling`(text: String)
        throws
    {
        let headers: [HTTPHeaders] = [
            ["webhook-id": text, "webhook-timestamp": text, "webhook-signature": text],
            ["webhook-id": text, "webhook-timestamp": "1614265330", "webhook-signature": "v1,\(text)"],
            ["Stripe-Signature": text], ["Stripe-Signature": "t=1614265330,v1=\(text)"],
            ["X-Hub-Signature-256": text], ["X-Hub-Signature-256": "sha256=\(text)"],
        ]
        for verifier in Self.verifiers {
            for headers in headers {
                let error = #expect(throws: (any Error).self, "\(verifier.name)") {
                    try verifier.make(Self.key).verify(Data(text.utf8), headers: headers, at: Date(1_614_265_330))
                }
                expectHidden(text, in: error)
            }
        }
    }

    @Test(arguments: spellings)
    func `The error of a signature does not show its key or a header value that repeats the key`(text: String) {
        let request = URLRequest.make(headers: ["X-Echo": text])
        let key = HMACKey(Self.key)
        for part in [HMACSignature.Part.header("X-Other"), .body] {
            let signature = HMACSignature(key: key, of: [.header("X-Echo"), part], in: "X-Signature")
            expectHidden(text, in: #expect(throws: SigningError.self) { try signature.signed(request) })
        }
        expectHidden(text, in: #expect(throws: (any Error).self) { try WebhookVerifier.standard(["whsec_\(text)?"]) })
    }

    private func expectHidden(_ text: String, in error: (any Error)?) {
        guard let error else { return }
        var shown = "\(error.localizedDescription)\n\(error)\n\(String(reflecting: error))\n"
        dump(error, to: &shown)
        #expect(!shown.contains(text) && !shown.contains(Self.key), "\(shown)")
    }
}
