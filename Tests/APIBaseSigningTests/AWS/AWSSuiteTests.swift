@testable import APIBaseSigning
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The signatures of AWS's test suite for version 4 (`aws-sig-v4-test-suite`).
@Suite struct AWSSuiteTests {
    private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    @Test(arguments: [
        ("get-vanilla", "/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("get-unreserved", "/" + unreserved, "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        ("get-vanilla-query", "/?", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        (
            "get-vanilla-empty-query-key", "/?Param1=value1",
            "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"
        ),
        (
            "get-vanilla-query-order-key-case", "/?Param2=value2&Param1=value1",
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
        (
            "get-vanilla-query-order-value", "/?Param1=value2&Param1=value1",
            "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"
        ),
        (
            "get-vanilla-query-unreserved", "/?\(unreserved)=\(unreserved)",
            "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"
        ),
        (
            "get-vanilla-utf8-query", "/?%E1%88%B4=bar",
            "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"
        ),
        ("get-slash", "//", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("get-slash-dot-slash", "/./", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("get-relative", "/example/..", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        (
            "get-relative-relative", "/example1/example2/../..",
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        (
            "get-slash-pointless-dot", "/./example",
            "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"
        ),
        ("get-slashes", "//example//", "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
    ])
    func `GET requests of the AWS Signature Version 4 test suite get its published signatures`(
        name: String,
        target: String,
        signature: String
    ) throws {
        #expect(try Self.signature("GET", target) == "host;x-amz-date \(signature)")
    }

    @Test(arguments: [
        ("post-vanilla", "/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        ("post-vanilla-query", "/?Param1=value1", "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        (
            "post-vanilla-query-nonunreserved",
            "/?%40%23%24%25%5E=&%2B=%2F%2C%3F%3E%3C%60%22%3B%3A%5C%7C%5D%5B%7B%7D",
            "66c82657c86e26fb25238d0e69f011edc4c6df5ae71119d7cb98ed9b87393c1e"
        ),
        ("post-vanilla-query-space", "/?p=", "e71688addb58a26418614085fb730ba3faa623b461c17f48f2fbdb9361b94a9b"),
    ])
    func `POST requests of the AWS Signature Version 4 test suite get its published signatures`(
        name: String,
        target: String,
        signature: String
    ) throws {
        #expect(try Self.signature("POST", target) == "host;x-amz-date \(signature)")
    }

    @Test(arguments: [
        (
            "get-header-key-duplicate", "GET", ["value2", "value2", "value1"],
            "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"
        ),
        (
            "get-header-value-multiline", "GET", ["value1", "value2", "value3"],
            "ba17b383a53190154eb5fa66a1b836cc297cc0a3d70a5d00705980573d8ff790"
        ),
        (
            "get-header-value-order", "GET", ["value4", "value1", "value3", "value2"],
            "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"
        ),
        (
            "post-header-key-sort", "POST", ["value1"],
            "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"
        ),
        (
            "post-header-value-case", "POST", ["VALUE1"],
            "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"
        ),
    ])
    func `Requests with repeated and unsorted headers get the signatures published in the AWS test suite`(
        name: String,
        method: String,
        values: [String],
        signature: String
    ) throws {
        let result = try Self.signature(method, "/") { request in
            for value in values { request.addValue(value, forHTTPHeaderField: "My-Header1") }
        }
        #expect(result == "host;my-header1;x-amz-date \(signature)")
    }

    @Test func `Header values with extra spaces get the signature published in the AWS test suite`() throws {
        let result = try Self.signature("GET", "/") { request in
            request.setValue(" value1", forHTTPHeaderField: "My-Header1")
            request.setValue(" \"a   b   c\"", forHTTPHeaderField: "My-Header2")
        }
        #expect(
            result == "host;my-header1;my-header2;x-amz-date "
                + "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
        )
    }

    @Test(arguments: [
        (
            "application/x-www-form-urlencoded",
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        ),
        (
            "application/x-www-form-urlencoded; charset=utf8",
            "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"
        ),
    ])
    func `Form POST requests with and without a charset get the signatures of the AWS test suite`(
        type: String,
        signature: String
    ) throws {
        let result = try Self.signature("POST", "/", body: "Param1=value1") {
            $0.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        #expect(result == "content-type;host;x-amz-date \(signature)")
    }

    @Test func `A POST with a session token gets the signature published in the AWS test suite`() throws {
        let token =
            "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfK"
            + "D8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8"
            + "Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iS"
            + "IlTJabIQwj2ICCR/oLxBA=="
        #expect(
            try Self.signature("POST", "/", token: token) == "host;x-amz-date;x-amz-security-token "
                + "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"
        )
    }

    /// The suite's requests have paths that no URL has: they are not escaped yet, and are escaped once.
    @Test(arguments: [("get-space", "/example space/", "/example%20space/"), ("get-utf8", "/ሴ", "/%E1%88%B4")])
    func `An unescaped path of the AWS test suite is percent-encoded exactly once`(
        name: String,
        path: String,
        canonical: String
    ) {
        #expect(CanonicalURL.path(path) == canonical)
        #expect(CanonicalURL.objectPath(path) == canonical)
        #expect(CanonicalURL.objectPath(canonical) == canonical)
    }

    /// The names of the signed headers, and the signature.
    private static func signature(
        _ method: String,
        _ target: String,
        body: String = "",
        token: String? = nil,
        _ change: (inout URLRequest) -> Void = { _ in }
    ) throws -> String {
        var request = URLRequest.make(method, "https://example.amazonaws.com" + target)
        change(&request)
        let credentials = AWSSignature.Credentials(
            accessKeyID: "AKIDEXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            sessionToken: token
        )
        let signed = try AWSSignature(credentials, region: "us-east-1", service: "service")
            .signed(request, body: .data(Data(body)), at: Date(1_440_938_160))
        let prefix = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders="
        let header = try #require(signed.value(forHTTPHeaderField: "Authorization"))
        #expect(header.hasPrefix(prefix))
        return String(header.dropFirst(prefix.count)).replacing(", Signature=", with: " ")
    }
}
