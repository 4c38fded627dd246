#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// One request for the transport, with its body, its secret headers and its limits.
public struct ExchangeRequest: Sendable {
    // Shared by copies until one of them is changed, since requests pass through many objects.
    private var storage: Storage

    /// Creates a request. It is checked when it is sent.
    public init(
        _ urlRequest: URLRequest,
        body: HTTPBody = .none,
        secretHeaders: Set<String> = HTTPHeaders.secretNames,
        limits: ExchangeRequest.Limits = .default
    ) {
        storage = Storage(Parts(urlRequest: urlRequest, body: body, secretHeaders: secretHeaders, limits: limits))
    }

    /// Checks the request by ``RequestCheck``, unless it has been checked since its last change, and keeps the parsed
    /// URL.
    ///
    /// - Throws: The first problem.
    package mutating func check() throws(TransportError.InvalidRequest) {
        guard checkedURL == nil else { return }
        let checked = try RequestCheck.checked(urlRequest, body: body)
        change { $0.checkedURL = checked }
    }

    private mutating func change(_ change: (inout Parts) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.parts) }
        change(&storage.parts)
    }
}

extension ExchangeRequest {
    /// Method, URL and headers. Its body, cache policy, timeout and cookie settings are ignored.
    public var urlRequest: URLRequest {
        get { storage.parts.urlRequest }
        set { change { ($0.urlRequest, $0.checkedURL) = (newValue, nil) } }
    }

    /// The body to send.
    public var body: HTTPBody {
        get { storage.parts.body }
        set { change { ($0.body, $0.checkedURL) = (newValue, nil) } }
    }

    /// Names of headers that are dropped when a redirect leaves the origin, in addition to ``HTTPHeaders/secretNames``.
    public var secretHeaders: Set<String> {
        get { storage.parts.secretHeaders }
        set { change { $0.secretHeaders = newValue } }
    }

    /// The limits of the request.
    public var limits: ExchangeRequest.Limits {
        get { storage.parts.limits }
        set { change { $0.limits = newValue } }
    }

    /// The call that sends the request; nil without one.
    package var caller: (any ExchangeCaller)? {
        get { storage.parts.caller }
        set { change { $0.caller = newValue } }
    }

    /// The exchange of the hop, if a session that wraps another passes it on; nil otherwise.
    package var context: (any ExchangeContext)? {
        get { storage.parts.context }
        set { change { $0.context = newValue } }
    }

    /// Whether a redirect has led to another origin, where a session's additional headers must not carry secrets.
    var hasLeftOrigin: Bool {
        get { storage.parts.hasLeftOrigin }
        set { change { $0.hasLeftOrigin = newValue } }
    }

    /// The URL as ``check()`` has parsed it; nil if the request was changed since.
    package var checkedURL: CheckedURL? { storage.parts.checkedURL }

    private struct Parts: Sendable {
        var urlRequest: URLRequest
        var body: HTTPBody
        var secretHeaders: Set<String>
        var limits: ExchangeRequest.Limits
        var caller: (any ExchangeCaller)?
        var context: (any ExchangeContext)?
        var hasLeftOrigin = false
        var checkedURL: CheckedURL?
    }

    /// Unchecked, since only a unique owner changes it.
    private final class Storage: @unchecked Sendable {
        var parts: Parts

        init(_ parts: Parts) { self.parts = parts }
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
