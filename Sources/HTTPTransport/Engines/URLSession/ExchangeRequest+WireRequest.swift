import Basics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExchangeRequest {
    /// The request for Foundation, with its scheme in lower case: Foundation on Linux knows no other.
    func wireRequest(_ payload: BodyPayload, adding additional: HTTPHeaders) -> URLRequest {
        var request = URLRequest(url: urlRequest.url?.withLowercaseScheme ?? URL(fileURLWithPath: "/"))
        let method = HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET")
        request.httpMethod = method.rawValue
        var headers = wireHeaders(adding: additional)
        if !headers.contains(name: "Content-Type") {
            headers["Content-Type"] = payload.isEmpty ? URLSessionEngine.typeOfNothing(method) : Self.typeOfBytes
        }
        request.allHTTPHeaderFields = headers.dictionary
        request.httpBody = payload.data
        request.httpShouldHandleCookies = false
        request.cachePolicy = .reloadIgnoringLocalCacheData
        // `Deadlines` applies the limits; Foundation's timeout, which counts time in a queue, must not come first.
        request.timeoutInterval = 86_400
        return request
    }
}

extension URL {
    fileprivate var withLowercaseScheme: URL {
        guard let lowercased = scheme?.lowercasedASCII(), lowercased != scheme else { return absoluteURL }
        var reference = URLReference(absoluteString)
        reference.scheme = lowercased[...]
        return URL(string: reference.text) ?? absoluteURL
    }
}
