import APIBaseSigning
import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The signatures that botocore 1.43.11 makes for the same requests, on 2026-11-24 at 01:02:03.
@Suite struct AWSReferenceTests {
    static let host = "https://example.eu-central-1.amazonaws.com"

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let service: String
        let method: String
        let url: String
        var headers: [(String, String)] = []
        var body = ""
        var hasToken = false
        var isSigned = true
        var names: String
        var signature: String

        init(
            _ name: String,
            _ service: String,
            _ method: String,
            _ url: String,
            headers: KeyValuePairs<String, String> = [:],
            body: String = "",
            hasToken: Bool = false,
            isSigned: Bool = true,
            names: String,
            signature: String
        ) {
            (testDescription, self.service, self.method, self.url) = (name, service, method, url)
            (self.headers, self.body, self.hasToken) = (headers.map { ($0.key, $0.value) }, body, hasToken)
            (self.isSigned, self.names, self.signature) = (isSigned, names, signature)
        }
    }

    @Test(arguments: Self.services + Self.objects)
    func `AWSSignature signs request headers like botocore, the Python library of AWS`(_ test: Case) throws {
        var request = URLRequest.make(test.method, test.url)
        for (name, value) in test.headers { request.setValue(value, forHTTPHeaderField: name) }
        let signature = AWSSignature.make(test.service, hasToken: test.hasToken)
        let signed = try signature.signed(
            request,
            body: test.isSigned ? .data(Data(test.body.utf8)) : .unsigned,
            at: Date(1_795_482_123)
        )
        let header = try #require(signed.value(forHTTPHeaderField: "Authorization"))
        #expect(header.contains("SignedHeaders=\(test.names), "))
        #expect(header.hasSuffix(" Signature=" + test.signature))
        #expect(signed.url == request.url)
    }

    struct Presigned: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let service: String
        let method: String
        let url: String
        var seconds: Int64
        var hasToken: Bool
        var signature: String

        init(
            _ name: String,
            _ service: String,
            _ method: String,
            _ url: String,
            seconds: Int64,
            hasToken: Bool = false,
            signature: String
        ) {
            (testDescription, self.service, self.method, self.url) = (name, service, method, url)
            (self.seconds, self.hasToken, self.signature) = (seconds, hasToken, signature)
        }
    }

    @Test(arguments: Self.presigned)
    func `AWSSignature signs presigned URLs like botocore, the Python library of AWS`(_ test: Presigned) throws {
        let signature = AWSSignature.make(test.service, hasToken: test.hasToken)
        let url = try signature.presigned(
            try #require(URL(string: test.url)),
            method: HTTPMethod(rawValue: test.method),
            validFor: .seconds(test.seconds),
            at: Date(1_795_482_123)
        )
        #expect(url.absoluteString.hasSuffix("&X-Amz-Signature=" + test.signature))
    }
}

extension AWSSignature {
    /// With the keys of AWS's examples.
    static func make(_ service: String, hasToken: Bool = false) -> AWSSignature {
        AWSSignature(
            Credentials(
                accessKeyID: hasToken ? "ASIAEXAMPLE" : "AKIDEXAMPLE",
                secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                sessionToken: hasToken ? "to/ken+with==" : nil
            ),
            region: "eu-central-1",
            service: service
        )
    }
}
