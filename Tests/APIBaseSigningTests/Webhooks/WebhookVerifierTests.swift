@testable import APIBaseSigning
import Foundation
import HTTPTransport
import Testing

@Suite struct WebhookVerifierTests {
    /// The example of Standard Webhooks' libraries.
    enum Standard {
        static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        static let other = "whsec_c2VjcmV0LW9mLWEtcm90YXRlZC1lbmRwb2ludA=="
        static let body = Data(#"{"test": 2432232314}"#)
        static let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        static let now = Date(1_614_265_330)

        static func headers(_ signature: String = signature, id: String = "msg_p5jXN8AQM9LWM0D4loKWxJek") -> HTTPHeaders
        {
            ["webhook-id": id, "Webhook-Timestamp": "1614265330", "webhook-signature": signature]
        }
    }

    @Test func `The Standard Webhooks example is verified when one of several secrets and signatures matches`() throws {
        for secrets in [[Standard.secret], [String(Standard.secret.dropFirst(6))], [Standard.other, Standard.secret]] {
            let webhook = try WebhookVerifier.standard(secrets)
                .verify(Standard.body, headers: Standard.headers(), at: Standard.now)
            #expect(webhook == .init(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", date: Standard.now))
        }
        let wrong = "v1,AAAA v1a,AAAA v2,?? "
        try WebhookVerifier.standard([Standard.secret])
            .verify(Standard.body, headers: Standard.headers(wrong + Standard.signature), at: Standard.now)
    }

    @Test(arguments: [
        ("", "webhook-signature"), ("v1", "webhook-signature"), ("v1,", nil), ("v1,?", "webhook-signature"),
        ("v1a,AAAA", "webhook-signature"), ("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE", "webhook-signature"),
        ("v1,g0hM9SsE+OTPJTGt", nil), ("v1,AAAA \(String(repeating: "v1,AAAA ", count: 40))", "webhook-signature"),
        (String(repeating: "v1,AAAA ", count: 20_000), "webhook-signature"), ("v1,\u{0}", "webhook-signature"),
        ("é", "webhook-signature"), (Standard.signature + "\r\nA: b", "webhook-signature"),
    ])
    func `A malformed webhook-signature header fails with malformedHeader, and a wrong one with noKeyFits`(
        signature: String,
        malformed: String?
    )
        throws
    {
        let error: VerificationError = malformed.map { .malformedHeader(name: $0) } ?? .noKeyFits
        let verifier = try WebhookVerifier.standard([Standard.secret])
        #expect(throws: error) {
            try verifier.verify(Standard.body, headers: Standard.headers(signature), at: Standard.now)
        }
    }

    @Test(arguments: ["", "+1614265330", " ", "1614265330.0", "-1", "0x1", "99999999999999999999", "１６１４２６５３３０", "a"])
    func `A webhook timestamp that is not a plain integer fails with malformedHeader`(text: String) throws {
        var headers = Standard.headers()
        headers["webhook-timestamp"] = text
        let verifier = try WebhookVerifier.standard([Standard.secret])
        #expect(throws: VerificationError.malformedHeader(name: "webhook-timestamp")) {
            try verifier.verify(Standard.body, headers: headers, at: Standard.now)
        }
        let stripe = WebhookVerifier.stripe(["a"])
        #expect(throws: VerificationError.malformedHeader(name: "Stripe-Signature")) {
            try stripe.verify(Data(), headers: ["Stripe-Signature": "t=\(text),v1=00"], at: Standard.now)
        }
    }

    @Test func `A webhook with a changed body, ID or timestamp fails to verify`() throws {
        let verifier = try WebhookVerifier.standard([Standard.secret])
        func isTrusted(_ body: Data = Standard.body, _ change: (inout HTTPHeaders) -> Void = { _ in }) -> Bool {
            var headers = Standard.headers()
            change(&headers)
            return (try? verifier.verify(body, headers: headers, at: Standard.now)) != nil
        }
        #expect(isTrusted())
        #expect(!isTrusted(Standard.body + [10]))
        #expect(!isTrusted(Data()))
        #expect(!isTrusted { $0["webhook-id"] = "msg_other" })
        #expect(!isTrusted { $0["webhook-timestamp"] = "1614265331" })
    }

    @Test func `A missing webhook header fails with missingHeader, and a repeated one with malformedHeader`() throws {
        let verifier = try WebhookVerifier.standard([Standard.secret])
        for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
            var headers = Standard.headers()
            headers.remove(name: name)
            #expect(throws: VerificationError.missingHeader(name: name)) {
                try verifier.verify(Standard.body, headers: headers, at: Standard.now)
            }
            headers = Standard.headers()
            headers.add(name: name.uppercased(), value: headers[name] ?? "")
            #expect(throws: VerificationError.malformedHeader(name: name)) {
                try verifier.verify(Standard.body, headers: headers, at: Standard.now)
            }
        }
        for id in ["", "a.b"] {
            #expect(throws: VerificationError.malformedHeader(name: "webhook-id")) {
                try verifier.verify(Standard.body, headers: Standard.headers(id: id), at: Standard.now)
            }
        }
    }

    /// Names of headers, what is in place of the right value, and the error; no error if the webhook is accepted.
    @Test(
        arguments: [
            (["svix-"], [:], nil), (["webhook-"], [:], nil), (["webhook-", "svix-"], [:], nil),
            // The first set that is complete is looked at, and no other.
            (["webhook-", "svix-"], ["svix-signature": "v1,AAAA"], nil),
            (["webhook-", "svix-"], ["webhook-signature": "v1,AAAA"], .noKeyFits),
            (["webhook-", "svix-"], ["webhook-id": nil], nil), (["svix-"], ["webhook-id": "msg_other"], nil),
            (["webhook-", "svix-"], ["webhook-id": nil, "svix-id": nil], .missingHeader(name: "webhook-id")),
            (["svix-"], ["svix-id": nil], .missingHeader(name: "svix-id")),
            (["svix-"], ["svix-timestamp": nil], .missingHeader(name: "svix-timestamp")),
            (["svix-"], ["svix-signature": nil], .missingHeader(name: "svix-signature")),
            (["svix-"], ["svix-timestamp": "x"], .malformedHeader(name: "svix-timestamp")),
            (["svix-"], ["svix-id": "a.b"], .malformedHeader(name: "svix-id")),
            (["svix-"], ["svix-id": "msg_other"], .noKeyFits), (["Svix-"], [:], nil),
            (["shop-"], [:], .missingHeader(name: "webhook-id")), ([], [:], .missingHeader(name: "webhook-id")),
        ] as [([String], [String: String?], VerificationError?)]
    )
    func `A Standard Webhooks signature is read from the first complete set of webhook- or svix- headers`(
        prefixes: [String],
        changes: [String: String?],
        expected: VerificationError?
    ) throws {
        var headers = HTTPHeaders()
        for prefix in prefixes {
            for name in ["id", "timestamp", "signature"] {
                headers[prefix + name] = Standard.headers()["webhook-\(name)"]
            }
        }
        for (name, value) in changes { headers[name] = value }
        let verifier = try WebhookVerifier.standard([Standard.secret])
        if let expected {
            #expect(throws: expected) { try verifier.verify(Standard.body, headers: headers, at: Standard.now) }
        } else {
            try verifier.verify(Standard.body, headers: headers, at: Standard.now)
        }
    }

    @Test func `A Standard Webhooks verifier with a prefix of one's own reads those headers only`() throws {
        let verifier = try WebhookVerifier.standard([Standard.secret], prefixes: ["shop-hook-"])
        var headers = HTTPHeaders()
        for name in ["id", "timestamp", "signature"] {
            headers["Shop-Hook-\(name)"] = Standard.headers()["webhook-\(name)"]
        }
        try verifier.verify(Standard.body, headers: headers, at: Standard.now)
        #expect(throws: VerificationError.missingHeader(name: "shop-hook-id")) {
            try verifier.verify(Standard.body, headers: Standard.headers(), at: Standard.now)
        }
    }

    @Test(arguments: [(-300, true), (300, true), (-301, false), (301, false), (1e300, false), (-1e300, false)])
    func `A webhook is accepted only within 300 s before or after its timestamp`(offset: Double, isIn: Bool) throws {
        let verifier = try WebhookVerifier.standard([Standard.secret])
        let now = Standard.now.addingTimeInterval(offset)
        func check() throws { try verifier.verify(Standard.body, headers: Standard.headers(), at: now) }
        if isIn { return try check() }
        let clamped = Duration.seconds(min(abs(now.timeIntervalSince1970 - 1_614_265_330), 1e15))
        let error: VerificationError =
            offset > 0
            ? .tooOld(age: clamped, allowed: .seconds(300)) : .fromTheFuture(by: clamped, allowed: .seconds(300))
        #expect(throws: error) { try check() }
    }

    @Test func `A webhook that is 2 s old fails to verify when the verifier's window is 1 s`() throws {
        var verifier = try WebhookVerifier.standard([Standard.secret])
        verifier.window = .seconds(1)
        #expect(throws: (any Error).self) {
            try verifier.verify(Standard.body, headers: Standard.headers(), at: Standard.now.addingTimeInterval(2))
        }
        #expect(throws: (any Error).self) {
            try verifier.verify(Standard.body, headers: Standard.headers(), at: Date(.nan))
        }
        verifier.window = .seconds(-5)
        try verifier.verify(Standard.body, headers: Standard.headers(), at: Standard.now)
    }

    /// By Python's `hmac`; Stripe's documentation has no example with its secret.
    @Test func `A valid Stripe-Signature header is verified, and a malformed, wrong or too old one fails`() throws {
        let body = Data(#"{"id": "evt_1", "object": "event"}"#)
        let v1 = "09357d4fb8d9eba6f07fdea6b2428fa819063ec7bb7f9eca18b88cf0ff729476"
        let v1Other = "df5440ec0f202578a596d99d33a9222dbf2cb5471c1b3006a387b6292b287373"
        let now = Date(1_492_774_577)
        for (secrets, value) in [
            (["whsec_test_secret"], "t=1492774577,v1=\(v1),v0=6ffbb59b"),
            (["whsec_test_secret"], "t=1492774577, v1=\(v1Other), v1=\(v1.uppercased())"),
            (["whsec_test_secret", "whsec_other_secret"], "v1=\(v1Other),t=1492774577"),
        ] {
            let webhook = try WebhookVerifier.stripe(secrets)
                .verify(body, headers: ["Stripe-Signature": value], at: now)
            #expect(webhook == .init(id: nil, date: now))
        }
        func failure(_ value: String?, _ secret: String = "whsec_test_secret", at date: Date = now)
            -> VerificationError?
        {
            let headers: HTTPHeaders = value.map { ["stripe-signature": $0] } ?? [:]
            do {
                try WebhookVerifier.stripe([secret]).verify(body, headers: headers, at: date)
                return nil
            } catch { return error as? VerificationError }
        }
        let malformed = VerificationError.malformedHeader(name: "Stripe-Signature")
        #expect(failure(nil) == .missingHeader(name: "Stripe-Signature"))
        #expect(failure("") == malformed)
        #expect(failure("t=1492774577") == malformed)
        #expect(failure("v1=\(v1)") == malformed)
        #expect(failure("t=1492774577,t=1492774577,v1=\(v1)") == malformed)
        #expect(failure("t=1492774577,v1=\(v1.dropLast())") == malformed)
        #expect(failure("t=1492774577,v1=\(v1),v1=zz") == malformed)
        #expect(failure("t=1492774577,v0=\(v1)") == malformed)
        #expect(failure("t=1492774577,v1=\(v1.dropLast(2))") == .noKeyFits)
        #expect(failure("t=1492774577,v1=") == .noKeyFits)
        #expect(failure("t=1492774577,v1=\(v1)", "whsec_wrong") == .noKeyFits)
        #expect(failure("t=1492774577,v1=\(v1)", "") == .emptyKey)
        #expect(
            failure("t=1492774577,v1=\(v1)", at: now.addingTimeInterval(400))
                == .tooOld(age: .seconds(400), allowed: .seconds(300))
        )
    }

    /// The example of GitHub's "Validating webhook deliveries".
    @Test func `A valid X-Hub-Signature-256 header of GitHub is verified, and a malformed or wrong one fails`() throws {
        let body = Data("Hello, World!")
        let secret = "It's a Secret to Everybody"
        let right = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
        let webhook = try WebhookVerifier.gitHub(["another", secret])
            .verify(body, headers: ["X-Hub-Signature-256": right], at: Date(0))
        #expect(webhook == .init(id: nil, date: nil))
        let malformed = VerificationError.malformedHeader(name: "X-Hub-Signature-256")
        let failures: [(HTTPHeaders, VerificationError)] = [
            ([:], .missingHeader(name: "X-Hub-Signature-256")),
            (["X-Hub-Signature": "sha1=00"], .missingHeader(name: "X-Hub-Signature-256")),
            (["X-Hub-Signature-256": right, "x-hub-signature-256": right], malformed),
            (["X-Hub-Signature-256": String(right.dropFirst(7))], malformed),
            (["X-Hub-Signature-256": "sha256="], malformed), (["X-Hub-Signature-256": "sha256=é"], malformed),
            (["X-Hub-Signature-256": "sha1=" + right.dropFirst(7)], malformed),
            (["X-Hub-Signature-256": "\(right)\u{0}"], malformed), (["X-Hub-Signature-256": "\(right)0"], malformed),
            (["X-Hub-Signature-256": "\(right)00"], .noKeyFits), (["X-Hub-Signature-256": "sha256=00"], .noKeyFits),
        ]
        for (headers, error) in failures {
            #expect(throws: error) { try WebhookVerifier.gitHub([secret]).verify(body, headers: headers) }
        }
    }

    @Test func `A malformed webhook secret throws malformedSecret, and an empty one throws emptyKey`() throws {
        for secret in ["whsec_?", "é", "a", "whsec_whsec_"] {
            #expect(throws: SigningError.malformedSecret(scheme: "Standard Webhooks")) {
                try WebhookVerifier.standard([secret])
            }
        }
        for secret in ["", "whsec_"] {
            #expect(throws: SigningError.emptyKey) { try WebhookVerifier.standard([secret]) }
        }
        #expect(throws: VerificationError.noKeyFits) {
            try WebhookVerifier.standard([]).verify(Standard.body, headers: Standard.headers(), at: Standard.now)
        }
        #expect(throws: VerificationError.emptyKey) {
            try WebhookVerifier.gitHub(["a", ""]).verify(Data(), headers: [:])
        }
    }

    @Test func `SigningError and VerificationError describe the problem in their localizedDescription`() {
        let errors: [any LocalizedError] = [
            VerificationError.tooOld(age: .seconds(400), allowed: .seconds(300)),
            VerificationError.missingHeader(name: "webhook-id"), VerificationError.noKeyFits,
            SigningError.invalidLifetime(.zero, longest: .seconds(604_800)), SigningError.missingHeader(name: "a\nb"),
        ]
        #expect(
            errors.map(\.localizedDescription) == [
                "The message was signed 400.0 seconds ago; 300.0 seconds are allowed.",
                "The header webhook-id of the signature is missing.",
                "None of the keys fits the signature and the message.",
                "A URL can be valid for 1 s to 604800.0 seconds, not for 0.0 seconds.",
                #"The header "a\nb" is to be signed, and is missing."#,
            ]
        )
    }
}
