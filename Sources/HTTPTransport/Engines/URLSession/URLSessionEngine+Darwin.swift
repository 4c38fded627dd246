#if !canImport(FoundationNetworking)
import Foundation

extension URLSessionEngine {
    /// A suspended task stops reading, and the sender has to wait.
    static let canPause = true

    /// Foundation adds the headers of the configuration.
    static let addsHeaders = false

    /// No limit of ours: over HTTP/2 one connection carries any number of exchanges, and Foundation knows which it has.
    static func turns(_ configuration: URLSessionConfiguration) -> Int { .max }

    /// An engine on a hardened session with this configuration.
    convenience init(owning configuration: URLSessionConfiguration) {
        configuration.harden()
        self.init(session: URLSession(configuration: configuration), owned: true, headers: configuration.headers)
    }

    /// An engine on the session itself.
    convenience init(serving session: URLSession) {
        self.init(session: session, owned: false, headers: session.configuration.headers)
    }

    /// The session is somebody else's and stays as it is.
    func retire() {}

    /// Foundation here can do all that a request asks, but would send the headers of a configuration as they are.
    func refusal(of request: ExchangeRequest) -> InvalidRequest? { invalidHeader }

    /// Has the hop hear of the task: the task keeps its delegate until it has completed.
    func attach(_ hop: URLSessionEngineTask, to task: URLSessionTask, of session: URLSession) {
        task.delegate = TaskDelegate(hop)
    }
}

/// Passes on the callbacks of one task. Challenges are left to the session's delegate.
private final class TaskDelegate: NSObject, URLSessionDataDelegate {
    private let hop: URLSessionEngineTask

    init(_ hop: URLSessionEngineTask) {
        self.hop = hop
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        hop.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        hop.received(data)
    }

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
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        hop.sent(totalBytesSent, expected: totalBytesExpectedToSend)
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
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        hop.mustNotRewind()
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        if let last = metrics.transactionMetrics.last { hop.measured(EngineTimes(last)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        hop.completed(error, response: task.response)
    }
}

extension EngineTimes {
    /// Foundation's times of the connection; it counts TLS as a part of connecting.
    fileprivate init(_ metrics: URLSessionTaskTransactionMetrics) {
        self.init()
        isReused = metrics.isReusedConnection
        nameLookup = Self.time(from: metrics.domainLookupStartDate, to: metrics.domainLookupEndDate)
        tls = Self.time(from: metrics.secureConnectionStartDate, to: metrics.secureConnectionEndDate)
        connect = Self.time(
            from: metrics.connectStartDate,
            to: metrics.secureConnectionStartDate ?? metrics.connectEndDate
        )
    }

    private static func time(from start: Date?, to end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return .seconds(max(0, end.timeIntervalSince(start)))
    }
}
#endif
