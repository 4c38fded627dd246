import Basics
import HTTPTransport

extension CallEvent {
    /// A value of an attribute.
    public enum AttributeValue: Hashable, Sendable, CustomStringConvertible {
        /// A text.
        case string(String)
        /// A number.
        case int(Int)

        /// The number; `nil` for a text.
        public var number: Int? { if case .int(let number) = self { number } else { nil } }

        /// The value as text.
        public var description: String {
            switch self {
            case .string(let text): text
            case .int(let number): "\(number)"
            }
        }
    }

    /// The attributes of a span for the event and its attempt, by the names of OpenTelemetry's semantic conventions for
    /// HTTP clients. No secrets.
    ///
    /// | name | value |
    /// |---|---|
    /// | `http.request.method` | the method; `_OTHER` for one that the conventions do not know |
    /// | `http.request.method_original` | the method, if it is such a one |
    /// | `server.address`, `server.port` | host and port of the request |
    /// | `url.full` | the URL without user-info, fragment and values of the query |
    /// | `url.scheme` | `https` or `http` |
    /// | `url.template` | the path with placeholders: see ``Info/pathTemplate`` |
    /// | `http.request.resend_count` | the attempts before this one, if there were any |
    /// | `http.response.status_code` | the status, once there is one |
    /// | `error.type` | the status if it is 400 or more; the reason of an error without a response |
    /// | `network.protocol.version` | `1.1` or `2`, at the end of an attempt |
    /// | `network.peer.address`, `network.peer.port` | the other end of the connection, at the end of an attempt |
    /// | `code.file.path`, `code.line.number` | the line of code that started the call: ``APIBase/here(fileID:line:)`` |
    ///
    /// Those of the connection are known where ``CallTimings/connection`` is.
    public var attributes: [String: AttributeValue] {
        var attributes = metricAttributes
        if attributes["http.request.method"] == .string("_OTHER") {
            attributes["http.request.method_original"] = call.method.map { .string($0.rawValue) }
        }
        if let url = call.url { attributes["url.full"] = .string(url.absoluteString) }
        if call.attempt > 1 { attributes["http.request.resend_count"] = .int(call.attempt - 1) }
        attributes["network.peer.address"] = timings?.connection?.address.map { .string($0) }
        attributes["network.peer.port"] = timings?.connection?.port.map { .int($0) }
        attributes["code.file.path"] = call.place.map { .string($0.fileID) }
        attributes["code.line.number"] = call.place.map { .int($0.line) }
        return attributes
    }

    /// Those of ``attributes`` that have few values, for the dimensions of a metric such as
    /// `http.client.request.duration`, in seconds.
    public var metricAttributes: [String: AttributeValue] {
        var attributes: [String: AttributeValue] = [:]
        if let method = call.method {
            let isKnown = Self.knownMethods.contains(method.rawValue)
            attributes["http.request.method"] = .string(isKnown ? method.rawValue : "_OTHER")
        }
        if let url = call.url, let scheme = url.scheme {
            attributes["server.address"] = url.host.map { .string($0) }
            attributes["server.port"] = .int(url.port ?? (scheme == "https" ? 443 : 80))
            attributes["url.scheme"] = .string(scheme)
        }
        attributes["url.template"] = call.wholeTemplate.map { .string($0) }
        attributes["http.response.status_code"] = statusCode.map { .int($0) }
        attributes["error.type"] = errorType.map { .string($0) }
        attributes["network.protocol.version"] = timings?.connection?.httpVersion.map { .string($0) }
        return attributes
    }

    private static let knownMethods: Set = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
    ]

    private var statusCode: Int? { if case .head(_, let head) = self { head.statusCode } else { timings?.statusCode } }

    private var errorType: String? {
        if let statusCode, statusCode >= 400 { return "\(statusCode)" }
        if case .failed(let error, _) = self { return error.typeName }
        return timings?.error?.typeName
    }
}

extension CallEvent.Info {
    /// The name of a span of the call: the method with the template of its path, such as `GET /v2/books/{id}`, or only
    /// the method if there is no template. The class, if the request was not built.
    public var name: String {
        guard let method else { return "\(type)" }
        return wholeTemplate.map { "\(method) \($0)" } ?? "\(method)"
    }
}

extension Error {
    /// A name with few values: that of the reason, without its values, or else that of the type.
    fileprivate var typeName: String {
        switch self {
        case let error as TransportError: error.reason.name
        case let error as RequestError: Mirror(reflecting: error).children.first?.label ?? "\(error)"
        case let error: "\(type(of: error))"
        }
    }
}

extension TransportError.Reason {
    /// The name of the case.
    fileprivate var name: String {
        switch self {
        case .invalidRequest: "invalidRequest"
        case .hostNotFound: "hostNotFound"
        case .cannotConnect: "cannotConnect"
        case .addressNotAllowed: "addressNotAllowed"
        case .connectionLost: "connectionLost"
        case .tls: "tls"
        case .timedOut: "timedOut"
        case .tooLarge: "tooLarge"
        case .tooManyRedirects: "tooManyRedirects"
        case .insecureRedirect: "insecureRedirect"
        case .invalidRedirect: "invalidRedirect"
        case .bodyNotReplayable: "bodyNotReplayable"
        case .bodyLength: "bodyLength"
        case .malformedResponse: "malformedResponse"
        case .invalidConfiguration: "invalidConfiguration"
        case .sessionClosed: "sessionClosed"
        case .bufferOverflow: "bufferOverflow"
        case .engine: "engine"
        }
    }
}
