public import Foundation
public import HTTPTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The head of a request or of a response, as signatures see it.
///
/// Clients make it from a `URLRequest` or an `HTTPURLResponse`; a server makes it from what it has received, with
/// repeated headers as they came.
public struct HTTPMessage: Sendable {
    /// The parts that only a request or only a response has.
    enum Start: Sendable {
        case request(method: String, url: URL?)
        case status(Int)
    }

    let start: Start

    /// The header fields.
    public var headers: HTTPHeaders

    private let requests: [HTTPMessage]

    /// A request.
    ///
    /// - Parameters:
    ///   - method: The method, as it was sent.
    ///   - url: The whole URL. A server puts it together from its own scheme, the `Host` and the target.
    ///   - headers: The header fields.
    public init(method: String, url: URL, headers: HTTPHeaders) {
        start = .request(method: method, url: url)
        self.headers = headers
        requests = []
    }

    /// A response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - request: The request it answers, for signatures that also cover parts of that. By default none.
    public init(status: Int, headers: HTTPHeaders, answering request: HTTPMessage? = nil) {
        start = .status(status)
        self.headers = headers
        requests = request.map { [$0] } ?? []
    }

    /// A request.
    public init(_ request: URLRequest) {
        start = .request(method: request.httpMethod ?? "GET", url: request.url)
        headers = HTTPHeaders(request.allHTTPHeaderFields ?? [:])
        requests = []
    }

    /// A response.
    ///
    /// - Parameters:
    ///   - response: The response, in which repeated headers are joined.
    ///   - request: The request it answers, as it was sent, for signatures that also cover parts of that. By default
    ///     none.
    public init(_ response: HTTPURLResponse, answering request: URLRequest? = nil) {
        var headers = HTTPHeaders()
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers.add(name: name, value: value)
        }
        self.init(status: response.statusCode, headers: headers, answering: request.map { HTTPMessage($0) })
    }

    /// The request that a response answers, if it is known.
    var request: HTTPMessage? { requests.first }
}
