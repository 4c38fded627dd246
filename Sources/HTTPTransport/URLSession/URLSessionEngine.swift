import Dispatch
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries exchanges over one `URLSession` with delegate tasks, never with its `async` calls.
///
/// What it guards against on Linux (Swift 6.3): a `POST` sent again with an empty body when a kept-alive connection dies
/// (``URLSessionExchange/mustNotRewind()``), a 401 with `Basic` that never ends, waiting for a connection counted as idle
/// time, tasks made on a closed session, and Foundation's queue being entered from its own callbacks.
///
/// What it cannot guard against there: **a response with trailers, or a connection closed inside the header, ends the
/// process** ("Transfer completed, but there's no response", `NativeProtocol.swift`; fixed in Swift 6.4). Any server can
/// send either, so on Swift 6.3 talk to servers you trust, or over an engine that is not Foundation's. It cannot pause
/// there either: bytes that nobody takes are kept, up to ``ExchangeLimits/queuedBytes``.
final class URLSessionEngine: ExchangeEngine {
    let session: URLSession
    let limiter: HostLimiter

    /// Headers the session adds to every request that does not have them.
    let additionalHeaders: HTTPHeaders

    /// Where tasks are made, started and cancelled: these calls wait for a queue that Foundation's callbacks run on.
    ///
    /// One for all sessions, as Foundation's on Linux is. With one for each, 255 sessions at work took all the threads
    /// dispatch has for serial queues, and Foundation's queue, for which they waited, never ran again.
    var commands: DispatchQueue { Self.sharedCommands }
    private static let sharedCommands = DispatchQueue(label: "HTTPTransport.URLSession")

    private let isClosed = Locked(false)

    init(session: URLSession, additionalHeaders: HTTPHeaders) {
        self.session = session
        self.additionalHeaders = additionalHeaders
        limiter = HostLimiter(limit: session.configuration.httpMaximumConnectionsPerHost)
    }

    func exchange(_ request: ExchangeRequest) -> any EngineExchange {
        URLSessionExchange(request, on: self)
    }

    /// Refuses exchanges that have not begun from now on; those that have begun are finished.
    func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        commands.async { [session] in session.finishTasksAndInvalidate() }
    }

    /// Runs on `commands`: makes the task and starts it; nil if the session is closed.
    func startTask(for exchange: URLSessionExchange, _ request: URLRequest, file: URL?) -> URLSessionTask? {
        guard !isClosed.withLock({ $0 }) else { return nil }
        let task = file.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
        attach(exchange, to: task)
        task.resume()
        return task
    }
}
