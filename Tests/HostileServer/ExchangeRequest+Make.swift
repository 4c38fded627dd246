package import Foundation
package import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExchangeRequest {
    /// A request with the properties that matter for a test.
    package init(
        _ method: HTTPMethod = .get,
        to url: URL,
        headers: [String: String] = [:],
        body: HTTPBody = .none,
        limits: ExchangeRequest.Limits = .default
    ) {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        request.allHTTPHeaderFields = headers
        self.init(request, body: body, limits: limits)
    }

    /// A request to a loopback server.
    package init(
        _ method: HTTPMethod = .get,
        port: UInt16,
        host: String = "127.0.0.1",
        _ target: String = "/",
        headers: [String: String] = [:],
        body: HTTPBody = .none,
        limits: ExchangeRequest.Limits = .default
    ) throws {
        guard let url = URL(string: "http://\(host):\(port)\(target)") else { throw URLError(.badURL) }
        self.init(method, to: url, headers: headers, body: body, limits: limits)
    }
}

extension ExchangeRequest.Limits {
    /// The default limits with some changes.
    package static func with(_ change: (inout ExchangeRequest.Limits) -> Void) -> ExchangeRequest.Limits {
        var limits = ExchangeRequest.Limits.default
        change(&limits)
        return limits
    }
}
