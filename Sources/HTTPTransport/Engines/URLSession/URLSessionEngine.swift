import Dispatch
import Foundation
import Basics

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends hops, which are single requests without their redirects, on one `URLSession` with delegate tasks. The default
/// session uses it on Apple systems, and on Linux where libcurl cannot be found.
///
/// It works around faults of Foundation on Linux (Swift 6.3): a `POST` sent again with an empty body when a kept
/// connection ends (``URLSessionEngineTask/mustNotRewind()``), a 401 with `Basic` that never ends, waits for a
/// connection that count as idle time, tasks on a closed session, and deadlocks when Foundation's queue is entered from
/// its own callbacks.
///
/// It cannot work around others there: **a response with trailers, or a connection closed inside the header, ends the
/// process** ("Transfer completed, but there's no response", `NativeProtocol.swift`; fixed in Swift 6.4), and so does a
/// `Content-Length` of `Int64.max`. Any server can send them, so use it on Swift 6.3 only for servers you trust.
/// Foundation reads the body of a redirect to its end, slowly, on the queue that all sessions share: a long one delays
/// every request of the process. Foundation cannot pause there either: bytes without demand are queued, up to
/// ``ExchangeRequest/Limits/queuedBytes``.
final class URLSessionEngine: Sendable {
    typealias Limiter = ConnectionLimiter<URLSessionEngineTask>

    private let held: Locked<HeldSession>
    private let limiter: Locked<Limiter>

    /// Headers of the session's configuration, for requests without fields of their names.
    private let configuredHeaders: HTTPHeaders

    /// The headers that the engine adds in place of the session.
    var additionalHeaders: HTTPHeaders { Self.addsHeaders ? configuredHeaders : [:] }

    /// The queue on which tasks are created, started and canceled: these calls wait for a queue that Foundation's
    /// callbacks run on.
    ///
    /// One for all sessions, as Foundation's on Linux is. With one for each, 255 busy sessions took all the threads
    /// that dispatch has for serial queues, and Foundation's queue, for which they waited, never ran again.
    var commands: DispatchQueue { Self.sharedCommands }
    private static let sharedCommands = DispatchQueue(label: "HTTPTransport.URLSession")

    private let isClosed = Locked(false)

    /// - Parameters:
    ///   - session: The session to work with.
    ///   - owned: Whether the engine retains the session.
    ///   - headers: The headers of its configuration.
    init(session: URLSession, owned: Bool, headers: HTTPHeaders) {
        held = Locked(HeldSession(own: owned ? session : nil, other: session))
        configuredHeaders = headers
        limiter = Locked(Limiter(perOrigin: Self.maxConnections(session.configuration)))
    }

    /// The first invalid header of the configuration.
    var invalidHeader: TransportError.InvalidRequest? {
        for (name, value) in configuredHeaders {
            do throws(TransportError.InvalidRequest) {
                try RequestCheck.check(name: name, value: value, length: .unknown)
            } catch {
                return error
            }
        }
        return nil
    }

    /// Refuses new hops; those that have begun are finished.
    func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        let session = held.withLock { $0.own }
        commands.async { session?.finishTasksAndInvalidate() }
    }

    /// Creates and starts the task; nil if the session is closed. To be called on `commands`.
    func startTask(
        for hop: URLSessionEngineTask,
        _ request: URLRequest,
        file: URL?,
        upgrade: ConnectionUpgrade?
    ) -> URLSessionTask? {
        guard !isClosed.withLock({ $0 }), let session = held.withLock({ $0.own ?? $0.other }) else { return nil }
        let task: URLSessionTask =
            if let upgrade {
                socketTask(with: request, upgrade, of: session)
            } else {
                file.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
            }
        attach(hop, to: task, of: session)
        task.resume()
        return task
    }
}

// MARK: Turns

extension URLSessionEngine {
    /// The number of hops that have their turn.
    var runningHops: Int { limiter.withLock { $0.running } }

    /// Begins the hop, now or at its turn.
    func enter(_ hop: URLSessionEngineTask, _ request: ExchangeRequest) {
        let hasSource = request.body.hasSource
        guard let grant = limiter.withLock({ $0.enter(hop, to: request.origin, hasSource: hasSource) }) else { return }
        if !hop.begin(grant) { leave(grant) }
    }

    /// Gets a connection for a hop that has begun without one; nil if it will be begun again when there is one.
    func claim(_ grant: Limiter.Grant) -> Limiter.Grant? { limiter.withLockUnchecked { $0.claim(grant) } }

    /// Releases a turn, which goes to the first waiting hop that has not been canceled.
    func leave(_ grant: Limiter.Grant) {
        var given = [grant]
        while let grant = given.popLast() {
            limiter.withLockUnchecked { $0.leave(grant) }
            while let next = limiter.withLock({ $0.next() }) {
                if !next.hop.begin(next) { given.append(next) }
            }
        }
    }

    /// A hop has been canceled, which may be waiting.
    func cancelled(to origin: Origin) {
        let forgotten = limiter.withLock { $0.forget(to: origin) { $0.isCancelled } }
        withExtendedLifetime(forgotten) {}
    }
}

/// A session that is retained, or one that is not.
private struct HeldSession {
    let own: URLSession?
    weak var other: URLSession?
}

/// The callbacks that are the same on all systems. They are passed on to the hop of the task.
extension HopDelegate {
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
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        hop(of: task)?.mustNotRewind()
        completionHandler(nil)
    }
}
