#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Basics

extension URLSessionEngine {
    /// Foundation continues to read for a suspended task.
    static let canPause = false

    /// Foundation's sockets end the process (swift-corelibs-foundation, issues 4730 and 5431).
    static let opensSockets = false

    /// The engine adds the configuration's headers, since Foundation would send them to other origins as well.
    static let addsHeaders = true

    /// As many exchanges with one host at a time as there are connections: Foundation would count the wait of others as
    /// idle time.
    static func maxConnections(_ configuration: URLSessionConfiguration) -> Int {
        configuration.httpMaximumConnectionsPerHost
    }

    /// The `Content-Type` of a request without a body: a blank, for which libcurl sends no header, where Foundation would
    /// send the type of a form.
    static func typeOfNothing(_ method: HTTPMethod) -> String? { method == .post ? " " : nil }

    /// An engine on a hardened session with this configuration.
    convenience init(owning configuration: URLSessionConfiguration) {
        let headers = configuration.headers
        configuration.httpAdditionalHeaders = nil
        configuration.harden()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "HTTPTransport.URLSession.delegate"
        let session = URLSession(configuration: configuration, delegate: HopDelegate(), delegateQueue: queue)
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
        (session.delegate as? HopDelegate)?.attach(hop, to: task)
    }
}

/// The delegate of all tasks, since a task's own delegate does not get its data on Linux.
final class HopDelegate: NSObject, URLSessionDataDelegate {
    private let hops: Locked<[Int: URLSessionEngineTask]> = Locked([:])

    func attach(_ hop: URLSessionEngineTask, to task: URLSessionTask) {
        hops.withLock { $0[task.taskIdentifier] = hop }
    }

    func hop(of task: URLSessionTask) -> URLSessionEngineTask? {
        hops.withLock { $0[task.taskIdentifier] }
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
