#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// One request as the transport takes it: what to send, what is secret in it, and what it may cost.
public struct ExchangeRequest: Sendable {
    /// All of it. Requests are handed from object to object, so that copies share it until one of them is changed.
    private var parts: Parts

    /// Puts a request together. Nothing is checked until it is sent.
    public init(
        _ urlRequest: URLRequest,
        body: HTTPBody = .none,
        secretHeaders: Set<String> = SecretHeaders.default,
        limits: ExchangeLimits = .default
    ) {
        parts = Parts(urlRequest, body, secretHeaders, limits)
    }

    /// Has ``RequestCheck`` look at what is sent, unless it has done so since that was changed, and keeps what it has read.
    ///
    /// - Throws: What is wrong, the first thing that is.
    package mutating func check() throws(InvalidRequest) {
        guard checkedURL == nil else { return }
        let checked = try RequestCheck.checked(urlRequest, body: body)
        change { $0.checkedURL = checked }
    }

    private mutating func change(_ change: (Parts) -> Void) {
        if !isKnownUniquelyReferenced(&parts) { parts = Parts(copying: parts) }
        change(parts)
    }
}

// MARK: Its parts

extension ExchangeRequest {
    /// Method, URL and headers. Its body, cache policy, timeout and cookie settings are ignored.
    public var urlRequest: URLRequest {
        get { parts.urlRequest }
        set { change { ($0.urlRequest, $0.checkedURL) = (newValue, nil) } }
    }

    /// The body to send.
    public var body: HTTPBody {
        get { parts.body }
        set { change { ($0.body, $0.checkedURL) = (newValue, nil) } }
    }

    /// Names of headers that are dropped when a redirect leaves the origin, beside those of ``SecretHeaders/default``.
    public var secretHeaders: Set<String> {
        get { parts.secretHeaders }
        set { change { $0.secretHeaders = newValue } }
    }

    /// The limits of the request.
    public var limits: ExchangeLimits {
        get { parts.limits }
        set { change { $0.limits = newValue } }
    }

    /// The call on whose behalf it is sent; nil if it is sent for its own sake.
    package var caller: (any ExchangeCaller)? {
        get { parts.caller }
        set { change { $0.caller = newValue } }
    }

    /// The exchange that the hop belongs to, if a session that is no engine hands it on; nil otherwise.
    package var context: (any ExchangeContext)? {
        get { parts.context }
        set { change { $0.context = newValue } }
    }

    /// Whether a redirect has led to another origin: what a session adds of its own must not carry secrets then.
    var hasLeftOrigin: Bool {
        get { parts.hasLeftOrigin }
        set { change { $0.hasLeftOrigin = newValue } }
    }

    /// The URL as ``check()`` has read it; nil if that has not been asked since what is sent was changed.
    package var checkedURL: CheckedURL? { parts.checkedURL }

    /// Unchecked: they change only while one request has them.
    private final class Parts: @unchecked Sendable {
        var urlRequest: URLRequest
        var body: HTTPBody
        var secretHeaders: Set<String>
        var limits: ExchangeLimits
        var caller: (any ExchangeCaller)?
        var context: (any ExchangeContext)?
        var hasLeftOrigin = false
        var checkedURL: CheckedURL?

        init(_ urlRequest: URLRequest, _ body: HTTPBody, _ secretHeaders: Set<String>, _ limits: ExchangeLimits) {
            self.urlRequest = urlRequest
            self.body = body
            self.secretHeaders = secretHeaders
            self.limits = limits
        }

        convenience init(copying other: Parts) {
            self.init(other.urlRequest, other.body, other.secretHeaders, other.limits)
            (caller, context) = (other.caller, other.context)
            (hasLeftOrigin, checkedURL) = (other.hasLeftOrigin, other.checkedURL)
        }
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
