@testable import APIBaseSigning
import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct AWSSignatureTests {
    private static let date = Date(1_795_482_123)

    @Test func `A Host header is signed once, in place of the host of the URL`() throws {
        func authorization(_ request: URLRequest) throws -> String? {
            try AWSSignature.make("sqs").signed(request, body: .data(Data()), at: Self.date)
                .value(forHTTPHeaderField: "Authorization")
        }
        let byURL = try authorization(.make("GET", "https://other.example/v1"))
        #expect(try authorization(.make(headers: ["Host": "other.example"])) == byURL && byURL != nil)
    }

    @Test func `Signing an AWS request again replaces the earlier signature and session token`() throws {
        let signature = AWSSignature.make("s3", hasToken: true)
        let once = try signature.signed(.make(), body: .data(Data("a")), at: Date(0))
        let twice = try signature.signed(once, body: .data(Data("b")), at: Self.date)
        #expect(twice == (try signature.signed(.make(), body: .data(Data("b")), at: Self.date)))
        let without = try AWSSignature.make("s3").signed(once, body: .data(Data("b")), at: Self.date)
        #expect(without.value(forHTTPHeaderField: "X-Amz-Security-Token") == nil)
    }

    @Test func `Signing an AWS request with the SHA-256 digest of its body equals signing it with the body`() throws {
        let digest = Data(
            try #require(HMACKey(hex: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb")).bytes
        )
        let signature = AWSSignature.make("sqs")
        #expect(
            try signature.signed(.make(), body: .sha256(digest), at: Self.date)
                == (try signature.signed(.make(), body: .data(Data("a")), at: Self.date))
        )
    }

    @Test
    func `AWSSignature with isS3 sends UNSIGNED-PAYLOAD as X-Amz-Content-Sha256 also to non-S3 services`() throws {
        var signature = AWSSignature.make("minio")
        #expect(!signature.isS3)
        signature.isS3 = true
        let signed = try signature.signed(.make("PUT"), body: .unsigned, at: Self.date)
        #expect(signed.value(forHTTPHeaderField: "X-Amz-Content-Sha256") == "UNSIGNED-PAYLOAD")
    }

    /// What S3 decodes and escapes again gives the same path, however the client has escaped it.
    @Test(arguments: [
        ("/a%7Eb", "/a~b"), ("/a+b(1)!'*", "/a%2Bb%281%29%21%27%2A"), ("/%e6%97%a5", "/%E6%97%A5"),
        ("/a%2fb", "/a%2Fb"),
        ("/100%", "/100%25"), ("/%", "/%25"), ("/%4", "/%254"), ("/%zz", "/%25zz"), ("/a:b@c=d", "/a%3Ab%40c%3Dd"),
    ])
    func `The canonical AWS request has an S3 object path decoded and percent-encoded exactly once`(
        path: String,
        canonical: String
    ) {
        #expect(CanonicalURL.objectPath(path) == canonical)
    }

    @Test(arguments: [
        (nil, ""), ("", ""), ("&&", ""), ("a", "a="), ("a=1=2", "a=1%3D2"), ("=1", "=1"), ("a=+", "a=%2B"),
        ("a=%7E", "a=~"), ("b&a&b=&a=1", "a=&a=1&b=&b="), ("a=%", "a=%25"), ("\u{0}=\r\n", "%00=%0D%0A"),
    ])
    func `The canonical AWS query is sorted, and its names and values are percent-encoded`(
        query: String?,
        canonical: String
    ) {
        #expect(CanonicalURL.query(query) == canonical)
    }

    /// By Python's `datetime`.
    @Test(arguments: [
        (0, "19700101T000000Z"), (951_782_399, "20000228T235959Z"), (951_782_400, "20000229T000000Z"),
        (951_868_800, "20000301T000000Z"), (1_709_251_199, "20240229T235959Z"), (4_107_542_399, "21000228T235959Z"),
        (4_107_542_400, "21000301T000000Z"), (1_735_689_599, "20241231T235959Z"), (253_402_300_799, "99991231T235959Z"),
    ])
    func `An AWS timestamp is written in UTC, without fractions of a second`(seconds: Double, text: String) throws {
        let date = try AWSDate(Date(seconds + 0.5 - (seconds == 253_402_300_799 ? 0.5 : 0)))
        #expect(date.time == text)
        #expect(date.day == text.prefix(8))
    }

    @Test(arguments: [-1, 253_402_300_800, .infinity, -.infinity, .nan, 1e300])
    func `Signing an AWS request at a date before 1970, after 9999 or not finite throws invalidDate`(seconds: Double)
        throws
    {
        #expect(throws: SigningError.invalidDate) {
            try AWSSignature.make("s3").signed(.make(), body: .unsigned, at: Date(seconds))
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .milliseconds(999), .seconds(604_801), .milliseconds(604_800_001)])
    func `Making a presigned AWS URL valid for less than 1 s or more than 7 days throws invalidLifetime`(
        lifetime: Duration
    ) throws {
        let url = try #require(URL(string: "https://a.example"))
        #expect(throws: SigningError.invalidLifetime(lifetime, longest: .seconds(604_800))) {
            try AWSSignature.make("s3").presigned(url, validFor: lifetime)
        }
    }

    @Test
    func `The signature of a presigned AWS URL can cover headers and a body, and the fragment is dropped`() throws {
        let url = try #require(URL(string: "https://a.example/b?c#d"))
        let signature = AWSSignature.make("s3")
        func presigned(_ headers: HTTPHeaders, _ body: SignedBody?) throws -> String {
            try signature.presigned(url, method: .put, headers: headers, body: body, at: Self.date).absoluteString
        }
        let all = [
            try presigned([:], nil), try presigned(["Content-Type": "text/plain"], nil),
            try presigned([:], .data(Data("a"))),
        ]
        #expect(Set(all).count == 3)
        #expect(all.allSatisfy { $0.hasPrefix("https://a.example/b?c&X-Amz-Algorithm=") && !$0.contains("#") })
        #expect(all[1].contains("X-Amz-SignedHeaders=content-type%3Bhost&"))
    }

    @Test func `Signing an AWS request covers a huge header and leaves a URL with a huge query unchanged`() throws {
        let long = String(repeating: "ä b", count: 20_000)
        let escaped = long.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let request = URLRequest.make("GET", "https://a.example/?q=\(escaped)", headers: ["X-Long": long])
        func header(_ request: URLRequest) throws -> String {
            let signed = try AWSSignature.make("sqs").signed(request, body: .data(Data(long)), at: Self.date)
            #expect(signed.url == request.url)
            return try #require(signed.value(forHTTPHeaderField: "Authorization"))
        }
        #expect(try header(request).contains("SignedHeaders=host;x-amz-date;x-long, "))
        var other = request
        other.setValue(long + "c", forHTTPHeaderField: "X-Long")
        #expect(try header(other) != header(request))
    }

    @Test func `Signing an AWS request with a relative URL, bad digest or empty key throws SigningError`() throws {
        let signature = AWSSignature.make("s3")
        #expect(throws: SigningError.invalidURL) { try signature.signed(.make("GET", "/a"), body: .unsigned) }
        #expect(throws: SigningError.bodyNotPassed) {
            try signature.signed(.make(), body: .sha256(Data("short")))
        }
        let empty = AWSSignature(.init(accessKeyID: "A", secretAccessKey: ""), region: "a", service: "s3")
        #expect(throws: SigningError.emptyKey) { try empty.signed(.make(), body: .unsigned) }
        #expect(throws: SigningError.emptyKey) {
            try empty.presigned(try #require(URL(string: "https://a.example")))
        }
    }

    @Test(arguments: ["a\r\nb", "a\nb", "a\u{0}b"])
    func `A canonical AWS request throws invalidHeader for a header with a line break or NUL`(value: String) throws {
        #expect(throws: SigningError.invalidHeader(name: "X-A")) {
            try CanonicalRequest(
                method: "GET",
                path: "/",
                query: "",
                headers: ["X-A": value],
                host: "a",
                payload: ""
            )
        }
        #expect(throws: SigningError.invalidHeader(name: value)) {
            try CanonicalRequest(
                method: "GET",
                path: "/",
                query: "",
                headers: [value: "a"],
                host: "a",
                payload: ""
            )
        }
    }
}
