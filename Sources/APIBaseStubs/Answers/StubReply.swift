public import Foundation
public import HTTPTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A response and its body, to be given, or to be changed after the real server gave it.
public struct StubReply: Sendable {
    /// The status code.
    public var statusCode: Int
    /// The headers, in order.
    public var headers: HTTPHeaders
    /// The body, as the call gets it.
    public var data: Data

    /// Foundation's response, if it was given as one and must be handed out with its own URL.
    private var original: HTTPURLResponse?
    /// The version it came in, if that is known.
    var httpVersion: String?

    /// Puts a reply together.
    public init(statusCode: Int, headers: HTTPHeaders = [:], data: Data = Data()) {
        self.statusCode = statusCode
        self.headers = headers
        self.data = data
    }

    /// A reply from Foundation's response.
    public init(_ response: HTTPURLResponse, data: Data) {
        self.init(statusCode: response.statusCode, headers: HTTPHeaders(response.headerDictionary), data: data)
        original = response
    }

    init(_ head: ResponseHead, data: Data) {
        self.init(statusCode: head.statusCode, headers: head.headers, data: data)
    }

    func head(for url: URL) -> ResponseHead {
        if let original, original.statusCode == statusCode, HTTPHeaders(original.headerDictionary) == headers {
            return ResponseHead(original, url: url)
        }
        return ResponseHead(statusCode: statusCode, headers: headers, url: url, httpVersion: httpVersion)
    }
}
