import Basics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExchangeRequest {
    /// The headers every engine sends.
    ///
    /// `Content-Length` is left to the engine, which knows what it sends. A body without `Content-Type` gets
    /// `application/octet-stream`, since engines would call it a form (RFC 9110, section 8.3). `User-Agent` is ours
    /// unless there is one, since Foundation's names the process and libcurl's version.
    func wireHeaders(hasBody: Bool, adding additional: HTTPHeaders = [:]) -> HTTPHeaders {
        var headers = HTTPHeaders((urlRequest.allHTTPHeaderFields ?? [:]))
        headers.remove(name: "Content-Length")
        for (name, value) in additional where !headers.contains(name: name) {
            if hasLeftOrigin, SecretHeaders.contains(name, in: secretHeaders) { continue }
            headers.add(name: name, value: value)
        }
        if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: PackageVersion.product) }
        if hasBody, !headers.contains(name: "Content-Type") {
            headers.add(name: "Content-Type", value: "application/octet-stream")
        }
        return headers
    }

    /// The request as Foundation gets it. The scheme is in lower case, since Foundation on Linux knows no other.
    func wireRequest(_ payload: BodyPayload, adding additional: HTTPHeaders) -> URLRequest {
        var request = URLRequest(url: urlRequest.url?.withLowercaseScheme ?? URL(fileURLWithPath: "/"))
        let method = HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET")
        request.httpMethod = method.rawValue
        // Without it, Foundation would call an empty POST a form as well.
        let hasBody = payload.data != nil || payload.file != nil || method == .post
        request.allHTTPHeaderFields = wireHeaders(hasBody: hasBody, adding: additional).dictionary
        request.httpBody = payload.data
        request.httpShouldHandleCookies = false
        request.cachePolicy = .reloadIgnoringLocalCacheData
        // Our own clocks are finer, and count no time in a queue; Foundation's must only be a number it can take.
        request.timeoutInterval = 86_400
        return request
    }
}

extension URL {
    /// The absolute URL with its scheme as it is usually written.
    var withLowercaseScheme: URL {
        guard let scheme, scheme != scheme.lowercasedASCII() else { return absoluteURL }
        var reference = URLReference(absoluteString)
        let lowercased = scheme.lowercasedASCII()
        reference.scheme = lowercased[...]
        return URL(string: reference.text) ?? absoluteURL
    }
}
