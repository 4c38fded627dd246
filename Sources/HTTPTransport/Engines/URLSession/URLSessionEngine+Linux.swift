#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Basics

extension URLSessionEngine {
    /// Foundation continues to read for a suspended task.
    static let canPause = false

    /// The engine adds the configuration's headers, since Foundation would send them to other origins as well.
    static let addsHeaders = true

    /// As many exchanges with one host at a time as there are connections: Foundation would count the wait of others as
    /// idle time.
    static func maxConnections(_ configuration: URLSessionConfiguration) -> Int {
        configuration.httpMaximumConnectionsPerHost
    }

    /// An engine on a hardened session with this configuration.
    convenience init(owning configuration: URLSessionConfiguration) {
        let headers = configuration.headers
        configuration.httpAdditionalHeaders = nil
        configuration.harden()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "HTTPTransport.URLSession.delegate"
        let session = URLSession(configuration: configuration, delegate: SessionDelegate(), delegateQueue: queue)
        self.init(session: session, owned: true, headers: headers)
    }

    /// An engine on a private session with the configuration of `session`.
    convenience init(serving session: URLSession) {
        let configuration = session.configuration.copy() as? URLSessionConfiguration
        self.init(owning: configuration ?? .hardened)
    }

    /// Closes the private session.
    func retire() { close() }

    /// The problem with a request that Foundation on Linux cannot send; nil if it can.
    func refusal(of request: ExchangeRequest) -> TransportError.InvalidRequest? {
        let host = request.urlRequest.url.flatMap { URLReference($0.absoluteString).authority }
        if host?.hasPrefix("[") == true { return TransportError.InvalidRequest(.url, .unsupportedIPv6Literal) }
        return invalidHeader
    }

    func attach(_ hop: URLSessionEngineTask, to task: URLSessionTask, of session: URLSession) {
        (session.delegate as? SessionDelegate)?.attach(hop, to: task)
    }
}

/// Passes on the callbacks of all tasks, since a task's own delegate does not get its data on Linux.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let hops: Locked<[Int: URLSessionEngineTask]> = Locked([:])

    func attach(_ hop: URLSessionEngineTask, to task: URLSessionTask) {
        hops.withLock { $0[task.taskIdentifier] = hop }
    }

    private func hop(of task: URLSessionTask) -> URLSessionEngineTask? {
        hops.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        hop(of: dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        hop(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        hop(of: task)?.sent(totalBytesSent, expected: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        hop(of: task)?.answer { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        hop(of: task)?.mustNotRewind()
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let hop = hop(of: task) else { return }
        let ends = hop.takesResponseAsAnswer()
        hop.answer { completionHandler(ends ? .cancelAuthenticationChallenge : .performDefaultHandling, nil) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        hops.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.completed(error, response: task.response)
    }
}
#endif
