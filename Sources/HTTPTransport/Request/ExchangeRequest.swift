public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// One request for the transport, with its body, its secret headers and its limits. With its redirects it is an
/// exchange.
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

    /// Checks the request by `RequestCheck`, unless it has been checked since its last change, and keeps the parsed
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

    /// The exchange that the request is a part of, if a session that wraps another passes it on; nil otherwise.
    package var context: (any ExchangeContext)? {
        get { storage.parts.context }
        set { change { $0.context = newValue } }
    }

    /// The protocol to switch the connection to; nil without one.
    package var upgrade: ConnectionUpgrade? {
        get { storage.parts.upgrade }
        set { change { $0.upgrade = newValue } }
    }

    /// Whether a redirect has led to another origin, where a session's additional headers must not carry secrets.
    package var hasLeftOrigin: Bool {
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
        var upgrade: ConnectionUpgrade?
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

extension ExchangeRequest {
    /// The limits of one request. The error names the limit that was exceeded.
    public struct Limits: Sendable, Hashable {
        /// Bytes of the response's body, counted after decompression. A larger `Content-Length` fails before the body
        /// is read. Without one, a reader by events gets the bytes within the limit, and then the error. 32 MiB.
        public var responseBytes = 32 << 20

        /// Bytes of the response's header fields: names, values, and four for each line. 256 KiB.
        ///
        /// libcurl takes no line of more than 100 KiB, whatever the limit is: ``TransportError/Limit/headerLine``.
        public var headerBytes = 256 << 10

        /// Received bytes that wait for demand, where the engine cannot pause the sender (`URLSession` on Linux). With
        /// more of them, the request is canceled; the reader gets what has come, and then the error. 32 MiB, as many
        /// as the default of ``responseBytes``.
        public var queuedBytes = 32 << 20

        /// Redirects in one chain; one more fails. With 0, the redirect is the response. 10.
        public var redirects = 10

        /// Time for name resolution, connection and TLS. None.
        ///
        /// Only an engine that can see the connection applies it. `URLSession` cannot: there ``idle`` covers
        /// connecting.
        public var connect: Duration?

        /// Time without a byte in either direction. Waiting for the subscriber does not count. 60 s.
        public var idle: Duration? = .seconds(60)

        /// Time for the whole exchange, redirects included. None.
        ///
        /// All times have a resolution of milliseconds, and all start when the exchange gets its turn: waiting for
        /// other requests to the same host does not count.
        public var total: Duration?

        /// The defaults; every limit can be set afterwards.
        public init() {}

        /// 32 MiB of body, 256 KiB of headers, 10 redirects, 60 s without a byte.
        public static let `default` = Limits()
    }

    /// An event of an exchange. The publisher's completion is its end.
    public enum Event: Sendable {
        /// The number of bytes of the request's body that have been sent in all; `expected` is nil if the length is not
        /// known.
        case sent(bytes: Int64, expected: Int64?)
        /// Status and headers have arrived. Once in each exchange that does not fail before.
        case head(ResponseHead)
        /// The next bytes of the body, after decompression. Never empty.
        case body(Data)
    }

    /// The progress of a request, by the transport's byte counts.
    public enum Progress: Sendable, Hashable {
        /// The number of bytes of the request's body that have been sent in all; `expected` is nil if the length is not
        /// known.
        case sent(Int64, expected: Int64?)
        /// The number of bytes of the response's body that have arrived in all, after decompression. `expected` is
        /// `Content-Length`; nil if the response has none, or is encoded so that the two cannot be compared.
        case received(Int64, expected: Int64?)
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
