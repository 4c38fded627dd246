public import Foundation
public import HTTPTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A response and its body: what a stub answers, or what the real server gave a stub's function.
public struct StubReply: Sendable {
    /// The status code.
    public var statusCode: Int
    /// The headers, in order.
    public var headers: HTTPHeaders
    /// The decompressed body.
    public var data: Data

    /// Foundation's response if the reply was made from one. Unless it is changed, the call gets it with its own URL.
    private var original: HTTPURLResponse?
    /// The HTTP version, if it is known.
    package var httpVersion: String?

    /// Creates a reply.
    public init(statusCode: Int, headers: HTTPHeaders = [:], data: Data = Data()) {
        self.statusCode = statusCode
        self.headers = headers
        self.data = data
    }

    /// Creates a reply from Foundation's response.
    public init(_ response: HTTPURLResponse, data: Data) {
        self.init(statusCode: response.statusCode, headers: HTTPHeaders(response.headerDictionary), data: data)
        original = response
    }

    func head(for url: URL) -> ResponseHead {
        if let original, original.statusCode == statusCode, HTTPHeaders(original.headerDictionary) == headers {
            return ResponseHead(original, url: url)
        }
        return ResponseHead(statusCode: statusCode, headers: headers, url: url, httpVersion: httpVersion)
    }
}
