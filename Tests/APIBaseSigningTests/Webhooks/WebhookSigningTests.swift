import APIBaseSigning
import Foundation
import HTTPTransport
import Testing

/// Webhooks that a test signs as their service does.
@Suite struct WebhookSigningTests {
    /// The examples of the services: the verifier, what is signed, and the headers.
    private struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let verifier: @Sendable () throws -> WebhookVerifier
        let body: String
        let id: String?
        let seconds: TimeInterval
        let headers: [String: String]
    }

    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let other = "whsec_c2VjcmV0LW9mLWEtcm90YXRlZC1lbmRwb2ludA=="

    private static func standard(_ prefix: String) -> [String: String] {
        [
            "\(prefix)id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "\(prefix)timestamp": "1614265330",
            "\(prefix)signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ]
    }

    private static let examples = [
        Example(
            testDescription: "Standard Webhooks",
            verifier: { try .standard([secret, other]) },
            body: #"{"test": 2432232314}"#,
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            seconds: 1_614_265_330.9,
            headers: standard("webhook-")
        ),
        Example(
            testDescription: "with another prefix",
            verifier: { try .standard([secret], prefixes: ["svix-", "webhook-"]) },
            body: #"{"test": 2432232314}"#,
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            seconds: 1_614_265_330,
            headers: standard("svix-")
        ),
        Example(
            testDescription: "Stripe",
            verifier: { .stripe(["whsec_test_secret"]) },
            body: #"{"id":"evt_test"}"#,
            id: nil,
            seconds: 1_492_774_577,
            headers: ["Stripe-Signature": "t=1492774577,v1=\(stripe)"]
        ),
        Example(
            testDescription: "GitHub",
            verifier: { .gitHub(["It's a Secret to Everybody", "another"]) },
            body: "Hello, World!",
            id: nil,
            seconds: 0,
            headers: [
                "X-Hub-Signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
            ]
        ),
    ]

    /// The HMAC of `1492774577.{"id":"evt_test"}`, by OpenSSL.
    private static let stripe = "22f7d74836ddad3284a2b80853dd2fe731655c1bfddcff3c3666a500cf3abd80"

    @Test(arguments: examples)
    private func `A signed webhook has the headers of its service, and is verified`(example: Example) throws {
        let (verifier, body) = (try example.verifier(), Data(example.body.utf8))
        let date = Date(timeIntervalSince1970: example.seconds)
        let headers = try verifier.sign(body, id: example.id ?? "any", at: date)
        #expect(headers.dictionary == example.headers)
        #expect(try verifier.verify(body, headers: headers, at: date).id == example.id)
        #expect(throws: VerificationError.noKeyFits) { try verifier.verify(body + [10], headers: headers, at: date) }
    }

    @Test func `A webhook is signed by default with a new identifier and the time of now`() throws {
        let verifier = try WebhookVerifier.standard([Self.secret])
        let webhooks = try (0..<2).map { _ in try verifier.verify(Data(), headers: verifier.sign(Data())) }
        let ids = webhooks.compactMap(\.id)
        #expect(Set(ids).count == 2 && ids.allSatisfy { $0.hasPrefix("msg_") })
        for verifier in [WebhookVerifier.stripe(["a"]), .gitHub(["a"])] {
            try verifier.verify(Data([1]), headers: verifier.sign(Data([1])))
        }
    }

    @Test func `A webhook is signed with the first secret`() throws {
        let headers = try WebhookVerifier.standard([Self.other, Self.secret]).sign(Data())
        try WebhookVerifier.standard([Self.other]).verify(Data(), headers: headers)
        #expect(throws: VerificationError.noKeyFits) {
            try WebhookVerifier.standard([Self.secret]).verify(Data(), headers: headers)
        }
    }

    @Test(arguments: ["", "a.b", " a", "a\r\nb: c", "a\u{0}", String(repeating: "a", count: 8_193)])
    func `An identifier that cannot be verified is not signed`(id: String) throws {
        let verifier = try WebhookVerifier.standard([Self.secret])
        #expect(throws: SigningError.invalidHeader(name: "webhook-id")) { try verifier.sign(Data(), id: id) }
        // The others have none.
        _ = try WebhookVerifier.stripe(["a"]).sign(Data(), id: id)
    }

    @Test func `A webhook without a secret, or with an impossible date, is not signed`() throws {
        for verifier in [try .standard([]), .stripe([]), .stripe([""]), .gitHub(["", "a"])] as [WebhookVerifier] {
            #expect(throws: SigningError.emptyKey) { try verifier.sign(Data()) }
        }
        for seconds in [-1, 253_402_300_800, .nan] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(throws: SigningError.invalidDate) { try WebhookVerifier.stripe(["a"]).sign(Data(), at: date) }
        }
    }
}
