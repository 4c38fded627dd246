@testable import APIBaseSigning
import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The examples in AWS's documentation.
@Suite struct AWSExampleTests {
    /// "Create a signed AWS API request", with the intermediate results.
    @Test func `The ListUsers example of the AWS documentation gets the documented signature`() throws {
        let signature = AWSSignature(
            .init(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1",
            service: "iam"
        )
        let request = URLRequest.make(
            "GET",
            "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
            headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"]
        )
        let signed = try signature.signed(request, body: .data(Data()), at: Date(1_440_938_160))
        #expect(signed.value(forHTTPHeaderField: "X-Amz-Date") == "20150830T123600Z")
        #expect(signed.value(forHTTPHeaderField: "X-Amz-Content-Sha256") == nil)
        #expect(
            signed.value(forHTTPHeaderField: "Authorization")
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
                + "SignedHeaders=content-type;host;x-amz-date, "
                + "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
        )
        let canonical = try signature.canonicalRequest(for: signed, payload: try signature.payload(of: .data(Data())))
        #expect(
            canonical.text == """
                GET
                /
                Action=ListUsers&Version=2010-05-08
                content-type:application/x-www-form-urlencoded; charset=utf-8
                host:iam.amazonaws.com
                x-amz-date:20150830T123600Z

                content-type;host;x-amz-date
                e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                """
        )
    }

    private static let objects = AWSSignature(
        .init(accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1",
        service: "s3"
    )
    /// 2013-05-24.
    private static let date = Date(1_369_353_600)

    /// "Authenticating Requests: Using the Authorization Header" of S3.
    @Test(arguments: [
        (
            "GET", "/test.txt", ["Range": "bytes=0-9"], "",
            "host;range;x-amz-content-sha256;x-amz-date",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        (
            "PUT", "/test$file.text",
            ["Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            "Welcome to Amazon S3.", "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        (
            "GET", "/?lifecycle", [:], "", "host;x-amz-content-sha256;x-amz-date",
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        ),
        (
            "GET", "/?max-keys=2&prefix=J", [:], "", "host;x-amz-content-sha256;x-amz-date",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ])
    func `The S3 examples of the AWS documentation get the documented Authorization header`(
        _ method: String,
        _ target: String,
        _ headers: [String: String],
        _ body: String,
        _ names: String,
        _ signature: String
    ) throws {
        var request = URLRequest.make(method, "https://examplebucket.s3.amazonaws.com" + target)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let signed = try Self.objects.signed(request, body: .data(Data(body)), at: Self.date)
        #expect(
            signed.value(forHTTPHeaderField: "Authorization")
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=\(names), Signature=\(signature)"
        )
    }

    /// "Authenticating Requests: Using Query Parameters" of S3.
    @Test func `The presigned URL example of the S3 documentation gets the documented URL`() throws {
        let object = try #require(URL(string: "https://examplebucket.s3.amazonaws.com/test.txt"))
        let expected =
            "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
            + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
            + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        let url = try Self.objects.presigned(object, validFor: .seconds(86_400), at: Self.date)
        #expect(url.absoluteString == expected)
        // Another time, from the URL that is signed already.
        let again = try Self.objects.presigned(url, validFor: .seconds(86_400), at: Self.date)
        #expect(again == url)
    }
}
