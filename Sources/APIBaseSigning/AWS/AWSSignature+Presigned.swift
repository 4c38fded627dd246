public import Foundation
public import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AWSSignature {
    /// The longest time that a presigned URL can be valid: seven days.
    public static let longestLifetime = Duration.seconds(604_800)

    /// A URL that carries its signature, so that anyone who has it can send the one request it is for until it expires.
    ///
    /// Keep it as secret as a password. With temporary credentials it is valid no longer than they are.
    ///
    /// - Parameters:
    ///   - url: The URL, with its query. Parameters of an earlier signature are replaced.
    ///   - method: The method of the request. By default `GET`.
    ///   - headers: Headers that are signed, and that the request must then have with these values. By default none but
    ///     `Host`.
    ///   - lifetime: How long the URL is valid, in whole seconds, 1 second to ``longestLifetime``. By default 15
    ///     minutes.
    ///   - body: The body, if it is signed. By default `UNSIGNED-PAYLOAD` for S3, and no body for other services.
    ///   - date: When the time begins. By default now.
    /// - Returns: The URL.
    /// - Throws: ``SigningError``.
    public func presigned(
        _ url: URL,
        method: HTTPMethod = .get,
        headers: HTTPHeaders = [:],
        validFor lifetime: Duration = .seconds(900),
        body: SignedBody? = nil,
        at date: Date = Date()
    ) throws -> URL {
        let seconds = lifetime.components.seconds
        guard lifetime >= .seconds(1), lifetime <= Self.longestLifetime else {
            throw SigningError.invalidLifetime(lifetime, longest: Self.longestLifetime)
        }
        let date = try AWSDate(date)
        var wire = try WireURL(url)
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        for (name, value) in headers { request.addValue(value, forHTTPHeaderField: name) }
        var canonical = try canonicalRequest(
            for: request,
            payload: try payload(of: body ?? (isS3 ? .unsigned : .data(Data())))
        )
        var parameters = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope(of: date))"),
            ("X-Amz-Date", date.time), ("X-Amz-Expires", String(seconds)),
            ("X-Amz-SignedHeaders", canonical.signedHeaders),
        ]
        if let token = credentials.sessionToken { parameters.append(("X-Amz-Security-Token", token)) }
        let names = Set(parameters.map(\.0) + ["X-Amz-Signature", "X-Amz-Security-Token"])
        let own = (wire.query ?? "").split(separator: "&").filter { !names.contains(String($0.prefix { $0 != "=" })) }
        let added = parameters.map { "\($0.0)=\(CanonicalURL.escaped($0.1))" }
        let query = (own.map(String.init) + added).joined(separator: "&")
        canonical.query = CanonicalURL.query(query)
        wire.query = query + "&X-Amz-Signature=" + (try signature(of: canonical, date, scope(of: date)))
        guard let signed = URL(string: wire.text) else { throw SigningError.invalidURL }
        return signed
    }
}
