import Foundation
import HTTPTransport
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A whole response, in a form that may be handed about.
struct Reply: Sendable {
    let status: Int
    let data: Data
    let headers: HTTPHeaders
    let url: URL

    var text: String { String(decoding: data, as: UTF8.self) }
}

extension HTTPSession {
    /// The end of one exchange, if it comes in time.
    func result(of request: ExchangeRequest, within seconds: Int = 20) async throws -> Result<Reply, TransportError> {
        let end = Later<Result<Reply, TransportError>>()
        let subscription = response(to: request).sink { completion in
            if case .failure(let error) = completion { end.set(.failure(error)) }
        } receiveValue: { data, response in
            let head = ResponseHead(response, url: request.urlRequest.url ?? URL(fileURLWithPath: "/"))
            end.set(.success(Reply(status: head.statusCode, data: data, headers: head.headers, url: head.url)))
        }
        defer { subscription.cancel() }
        return try await end.value(within: seconds)
    }

    func reply(to request: ExchangeRequest, within seconds: Int = 20) async throws -> Reply {
        try await result(of: request, within: seconds).get()
    }

    /// Why the exchange failed; nil if it did not.
    func failure(of request: ExchangeRequest, within seconds: Int = 20) async throws -> TransportError? {
        guard case .failure(let error) = try await result(of: request, within: seconds) else { return nil }
        return error
    }
}

extension ExchangeRequest {
    /// A request to a loopback server.
    init(
        _ method: HTTPMethod = .get,
        port: UInt16,
        host: String = "127.0.0.1",
        _ target: String = "/",
        headers: [String: String] = [:],
        body: HTTPBody = .none,
        limits: ExchangeLimits = .default
    ) throws {
        guard let url = URL(string: "http://\(host):\(port)\(target)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        request.allHTTPHeaderFields = headers
        self.init(request, body: body, limits: limits)
    }
}
