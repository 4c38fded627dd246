#if !canImport(FoundationNetworking)
import Foundation
import Security

extension URLSessionEngine {
    /// A suspended task stops reading, and so pauses the sender.
    static let canPause = true

    static let opensSockets = true

    /// Foundation adds the headers of the configuration.
    static let addsHeaders = false

    /// No limit: over HTTP/2 one connection carries any number of exchanges, and only Foundation knows its connections.
    static func maxConnections(_ configuration: URLSessionConfiguration) -> Int { .max }

    /// The `Content-Type` of a request without a body: none.
    static func typeOfNothing(_ method: HTTPMethod) -> String? { nil }

    /// An engine on a hardened session with this configuration.
    convenience init(owning configuration: URLSessionConfiguration) {
        configuration.harden()
        self.init(session: URLSession(configuration: configuration), owned: true, headers: configuration.headers)
    }

    convenience init(serving session: URLSession) {
        self.init(session: session, owned: false, headers: session.configuration.headers)
    }

    /// Does nothing: the session belongs to the user.
    func retire() {}

    /// The problem with the configuration's headers, which Foundation would send as they are; nil without one.
    func refusal(of request: ExchangeRequest) -> TransportError.InvalidRequest? { invalidHeader }

    /// Connects the hop to the task, which retains its delegate until it has completed.
    func attach(_ hop: URLSessionEngineTask, to task: URLSessionTask, of session: URLSession) {
        task.delegate = HopDelegate(hop)
    }
}

/// The delegate of one task. Challenges go to the session's delegate.
final class HopDelegate: NSObject, URLSessionDataDelegate, URLSessionWebSocketDelegate {
    private let hop: URLSessionEngineTask

    init(_ hop: URLSessionEngineTask) {
        self.hop = hop
    }

    func hop(of task: URLSessionTask) -> URLSessionEngineTask? { hop }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol subprotocol: String?
    ) {
        hop.opened(webSocketTask, subprotocol: subprotocol)
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith code: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        hop.closed()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        if let last = metrics.transactionMetrics.last { hop.measured(EngineTimes(last)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // Foundation says only that the task was canceled if the delegate has refused a server.
        let isRefused = session.delegate is PinnedKeys && (error as? URLError)?.code == .cancelled
        if isRefused, task.response == nil { hop.refusedServer() }
        hop.completed(error, response: task.response)
    }
}

extension EngineTimes {
    /// Foundation's times of the connection, where connecting includes TLS, and the connection.
    fileprivate init(_ metrics: URLSessionTaskTransactionMetrics) {
        self.init()
        isReused = metrics.isReusedConnection
        nameLookup = Self.time(from: metrics.domainLookupStartDate, to: metrics.domainLookupEndDate)
        tls = Self.time(from: metrics.secureConnectionStartDate, to: metrics.secureConnectionEndDate)
        connect = Self.time(
            from: metrics.connectStartDate,
            to: metrics.secureConnectionStartDate ?? metrics.connectEndDate
        )
        connection = ConnectionInfo(metrics)
    }

    private static func time(from start: Date?, to end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return .seconds(max(0, end.timeIntervalSince(start)))
    }
}

extension ConnectionInfo {
    /// The connection of a task; nil if there was none.
    fileprivate init?(_ metrics: URLSessionTaskTransactionMetrics) {
        let version = metrics.networkProtocolName.flatMap(Self.httpVersion)
        guard version != nil || metrics.remoteAddress != nil else { return nil }
        self.init(
            httpVersion: version,
            tlsVersion: metrics.negotiatedTLSProtocolVersion.flatMap { Self.tlsVersion(numbered: Int($0.rawValue)) },
            address: metrics.remoteAddress,
            port: metrics.remotePort,
            certificateExpiry: nil
        )
    }
}
#endif
