// swift-format-ignore-file
// The samples of the article on signing requests, in its order.

import APIBaseSigning
import APIBaseTesting
import TestTiers
import Testing

private nonisolated let secret = "a secret of the test"
private nonisolated let keyID = "AKIDEXAMPLE"

// sample x
class PartnerAPI: JSONAPI {
    static let signature = {
        var signature = HMACSignature(key: HMACKey(secret), of: [.timestamp, .body], in: "X-Signature")
        signature.separator = "."
        signature.prefix = "sha256="
        signature.timestampHeader = "X-Timestamp"
        return signature
    }()

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        AnyPublisher.awaiting { try Self.signature.signed(request, body: .data(request.httpBody ?? Data())) }
            .flatMap(next).eraseToAnyPublisher()
    }
}
// end

private func otherParts() -> HMACSignature {
// sample x
let canonical = HMACSignature(
    key: HMACKey(secret), of: [.method, .path, .query, .header("Date"), .bodyDigest(.hex)], in: "X-Signature"
)
// end
    return canonical
}

// sample x
class BucketAPI: JSONAPI {
    static let signature = AWSSignature(
        .init(accessKeyID: keyID, secretAccessKey: secret), region: "eu-central-1", service: "s3"
    )

    override class var baseURL: URL? { URL(string: "https://bucket.s3.eu-central-1.amazonaws.com") }

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        AnyPublisher.awaiting { try Self.signature.signed(request, body: .data(request.httpBody ?? Data())) }
            .flatMap(next).eraseToAnyPublisher()
    }
}
// end

private func presigned(_ report: URL) throws -> URL {
// sample x
let link = try BucketAPI.signature.presigned(report, validFor: .seconds(3_600))
// end
    return link
}

// sample x
class LedgerAPI: JSONAPI {
    static let signature = MessageSignature(
        .hmac(HMACKey(secret)), over: [.method, .authority, .path, .query, .contentDigest], keyID: "ledger-1"
    )

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        AnyPublisher.awaiting {
            try await Self.signature.signed(request, body: .data(request.httpBody ?? Data()))
        }
        .flatMap(next).eraseToAnyPublisher()
    }
}
// end

private enum ResponseSample {
    static func check(_ response: HTTPURLResponse, _ body: Data, answering request: URLRequest) async throws {
// sample x
let verifier = MessageVerifier(covering: [.status, .path.ofRequest], key: .hmac(HMACKey(secret)))

func check(_ response: HTTPURLResponse, _ body: Data, answering request: URLRequest) async throws {
    try await verifier.verify(HTTPMessage(response, answering: request), body: .data(body))
}
// end
        try await check(response, body, answering: request)
    }
}

private func received(_ body: Data, _ headers: HTTPHeaders, newSecret: String, oldSecret: String) throws -> String? {
// sample x
let webhooks = try WebhookVerifier.standard([newSecret, oldSecret])

func receive(_ body: Data, _ headers: HTTPHeaders) throws -> String? {
    try webhooks.verify(body, headers: headers).id
}
// end

// sample x
let event = Data(#"{"type": "order.paid"}"#.utf8)
let signed = try webhooks.sign(event, id: "msg_1")
#expect(try receive(event, signed) == "msg_1")
// end
    return try receive(body, headers)
}

@Suite(.limited) struct SigningSampleTests {
    private final class PartnerRequest: PartnerAPI, Request {
        typealias ModelType = Void
        override init() { super.init(.post("https://partner.example/orders", json: ["a": 1])) }
    }

    private final class ObjectRequest: BucketAPI, Request {
        typealias ModelType = Data
        override init() { super.init(.get("/report.txt")) }
    }

    private final class EntryRequest: LedgerAPI, Request {
        typealias ModelType = Void
        override init() { super.init(.post("https://ledger.example/entries?year=2026", json: ["a": 1])) }
    }

    @Test(.stubs { stubs in
        stubs.on(.post, "/orders").answer(.status(204))
        stubs.on(.get, "/report.txt").answer(.json("{}"))
        stubs.on(.post, "/entries").answer(.status(204))
    })
    func `The signing samples sign requests by HMAC, AWS signature and message signature`() async throws {
        try await PartnerRequest().value()
        _ = try await ObjectRequest().value()
        try await EntryRequest().value()
        let calls = try #require(Stubs.current?.calls)
        #expect(calls.count == 3)
        #expect(calls[0].headers["X-Signature"]?.hasPrefix("sha256=") == true)
        #expect(calls[0].headers["X-Timestamp"] != nil)
        #expect(calls[1].headers["Authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/") == true)
        let url = try #require(URL(string: "https://ledger.example/entries?year=2026"))
        let message = HTTPMessage(method: "POST", url: url, headers: calls[2].headers)
        let verifier = MessageVerifier(covering: LedgerAPI.signature.components, key: .hmac(HMACKey(secret)))
        let parameters = try await verifier.verify(message, body: .data(Data(#"{"a":1}"#.utf8)))
        #expect(parameters.keyID == "ledger-1")
    }

    @Test func `The samples presign a link and reject unsigned responses and webhooks`() async throws {
        #expect(otherParts().parts.count == 5)
        let report = try #require(URL(string: "https://bucket.s3.eu-central-1.amazonaws.com/report.txt"))
        #expect(try presigned(report).query?.contains("X-Amz-Expires=3600") == true)
        let response = try #require(HTTPURLResponse(url: report, statusCode: 200, httpVersion: nil, headerFields: [:]))
        await #expect(throws: VerificationError.missingHeader(name: "Signature-Input")) {
            try await ResponseSample.check(response, Data(), answering: URLRequest(url: report))
        }
        #expect(throws: VerificationError.missingHeader(name: "webhook-id")) {
            try received(Data(), [:], newSecret: "whsec_YQ==", oldSecret: "whsec_Yg==")
        }
    }
}
