#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// One request as the transport takes it: what to send, what is secret in it, and what it may cost.
public struct ExchangeRequest: Sendable {
    /// Method, URL and headers. Its body, cache policy, timeout and cookie settings are ignored.
    public var urlRequest: URLRequest {
        didSet { checkedURL = nil }
    }

    /// The body to send.
    public var body: HTTPBody {
        didSet { checkedURL = nil }
    }

    /// Names of headers that are dropped when a redirect leaves the origin, beside those of ``SecretHeaders/default``.
    public var secretHeaders: Set<String>

    /// The limits of the request.
    public var limits: ExchangeLimits

    /// On whose behalf it is sent; nil if nobody has said. Stubs look at it, the network does not see it.
    package var caller: ExchangeCaller?

    /// The observer of the times that the hops take; nil for none.
    package var monitor: (any ExchangeMonitor)?

    /// The state that this hop shares with the other hops of its exchange; nil for a hop that is asked for alone.
    package internal(set) var context: ExchangeContext?

    /// Whether a redirect has led to another origin: what a session adds of its own must not carry secrets then.
    var hasLeftOrigin = false

    /// The URL as ``check()`` has read it; nil if that has not been asked since what is sent was changed.
    package private(set) var checkedURL: CheckedURL?

    /// Puts a request together. Nothing is checked until it is sent.
    public init(
        _ urlRequest: URLRequest,
        body: HTTPBody = .none,
        secretHeaders: Set<String> = SecretHeaders.default,
        limits: ExchangeLimits = .default
    ) {
        self.urlRequest = urlRequest
        self.body = body
        self.secretHeaders = secretHeaders
        self.limits = limits
    }

    /// Has ``RequestCheck`` look at what is sent, unless it has done so since that was changed, and keeps what it has read.
    ///
    /// - Throws: What is wrong, the first thing that is.
    package mutating func check() throws(InvalidRequest) {
        if checkedURL == nil { checkedURL = try RequestCheck.checked(urlRequest, body: body) }
    }
}

extension ExchangeRequest {
    /// The origin of the URL: its scheme, host and port.
    var origin: Origin {
        checkedURL?.origin ?? urlRequest.url?.origin ?? Origin(scheme: "", host: "", port: 0)
    }
}

extension ExchangeRequest: CustomStringConvertible, CustomReflectable {
    /// Method and redacted URL: `GET https://host/path?page=redacted`.
    public var description: String {
        "\(urlRequest.httpMethod ?? "GET") \(urlRequest.url?.redacted?.absoluteString ?? "<no URL>")"
    }

    /// The mirror for `dump`: the description and nothing else, since headers, URL and body may hold secrets.
    public var customMirror: Mirror {
        Mirror(self, children: [(label: "request", value: description as Any)], displayStyle: .struct)
    }
}
