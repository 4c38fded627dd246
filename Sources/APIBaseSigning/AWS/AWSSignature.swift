public import Foundation
import Basics
import HTTPTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Version 4 of the signatures of AWS ("AWS Signature Version 4 for API requests"), which other services that speak S3
/// also check.
///
/// All headers of the request are signed but those that proxies and clients change, such as `User-Agent` and
/// `Content-Length`. Bodies in signed chunks (`STREAMING-AWS4-HMAC-SHA256-PAYLOAD`), signatures for several regions
/// (SigV4A) and the sessions of S3 Express are left out. Nothing prints the secret key.
public struct AWSSignature: Sendable {
    let credentials: Credentials

    /// The region, such as `eu-central-1`.
    public var region: String

    /// The name that the service has in signatures, such as `s3` or `execute-api`.
    public var service: String

    /// Whether the rules of S3 apply: the path is neither normalized nor escaped twice, `x-amz-content-sha256` is sent,
    /// and a URL does not cover the body. By default, if the service is `s3`, `s3-object-lambda` or `s3-outposts`.
    public var isS3: Bool

    /// The signatures for a service in a region.
    ///
    /// - Parameters:
    ///   - credentials: The access key.
    ///   - region: The region, such as `eu-central-1`.
    ///   - service: The name that the service has in signatures, such as `s3` or `execute-api`.
    public init(_ credentials: Credentials, region: String, service: String) {
        self.credentials = credentials
        self.region = region
        self.service = service
        isS3 = ["s3", "s3-object-lambda", "s3-outposts"].contains(service)
    }

    /// The request with its date and its signature in headers, and with the session token if there is one.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent. Its `Authorization`, `X-Amz-Date`, `X-Amz-Security-Token` and, for S3,
    ///     `X-Amz-Content-Sha256` are replaced.
    ///   - body: The body. With ``SignedBody/unsigned``, `UNSIGNED-PAYLOAD` stands for it, which only S3 accepts, and
    ///     only over `https`.
    ///   - date: The date of the signature, from which AWS accepts it for some minutes. By default now.
    /// - Returns: The signed request.
    /// - Throws: ``SigningError``.
    public func signed(_ request: URLRequest, body: SignedBody, at date: Date = Date()) throws -> URLRequest {
        let (date, payload) = (try AWSDate(date), try payload(of: body))
        var request = request
        request.setValue(nil, forHTTPHeaderField: "Authorization")
        request.setValue(date.time, forHTTPHeaderField: "X-Amz-Date")
        request.setValue(credentials.sessionToken, forHTTPHeaderField: "X-Amz-Security-Token")
        if isS3 { request.setValue(payload, forHTTPHeaderField: "X-Amz-Content-Sha256") }
        let canonical = try canonicalRequest(for: request, payload: payload)
        let scope = scope(of: date)
        let signature = try signature(of: canonical, date, scope)
        request.setValue(
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), "
                + "SignedHeaders=\(canonical.signedHeaders), Signature=\(signature)",
            forHTTPHeaderField: "Authorization"
        )
        return request
    }

    func canonicalRequest(for request: URLRequest, payload: String) throws -> CanonicalRequest {
        let url = try WireURL(request.url)
        return try CanonicalRequest(
            method: request.httpMethod ?? "GET",
            path: isS3 ? CanonicalURL.objectPath(url.path) : CanonicalURL.path(url.path),
            query: CanonicalURL.query(url.query),
            headers: HTTPHeaders(request.allHTTPHeaderFields ?? [:]),
            host: request.value(forHTTPHeaderField: "Host") ?? url.authority,
            payload: payload
        )
    }

    func payload(of body: SignedBody) throws -> String {
        if case .unsigned = body { return "UNSIGNED-PAYLOAD" }
        return try body.digest().hexadecimal
    }

    func scope(of date: AWSDate) -> String { "\(date.day)/\(region)/\(service)/aws4_request" }

    /// "Create a signed AWS API request", steps 2 to 4.
    func signature(of request: CanonicalRequest, _ date: AWSDate, _ scope: String) throws -> String {
        guard !credentials.secretAccessKey.isEmpty else { throw SigningError.emptyKey }
        let text = ["AWS4-HMAC-SHA256", date.time, scope, SHA256.hex(of: request.text)].joined(separator: "\n")
        let key = [date.day, region, service, "aws4_request"]
            .reduce(Array("AWS4".utf8) + Array(credentials.secretAccessKey.utf8)) { HMACSHA256.code(of: $1, key: $0) }
        return HMACSHA256.code(of: text, key: key).hexadecimal
    }
}
