import Dispatch
import Foundation
import Basics

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries hops over one `URLSession` with delegate tasks, never with its `async` calls.
///
/// What it guards against on Linux (Swift 6.3): a `POST` sent again with an empty body when a kept-alive connection dies
/// (``URLSessionEngineTask/mustNotRewind()``), a 401 with `Basic` that never ends, waiting for a connection counted as idle
/// time, tasks made on a closed session, and Foundation's queue being entered from its own callbacks.
///
/// What it cannot guard against there: **a response with trailers, or a connection closed inside the header, ends the
/// process** ("Transfer completed, but there's no response", `NativeProtocol.swift`; fixed in Swift 6.4), and so does a
/// `Content-Length` of `Int64.max`. Any server can send them, so on Swift 6.3 talk to servers you trust, or over an engine
/// that is not Foundation's. The body of a redirect is read by Foundation to its end, slowly, on the queue that all
/// sessions share: a long one holds up every request of the process, past the end of its own. It cannot pause
/// there either: bytes that nobody takes are kept, up to ``ExchangeLimits/queuedBytes``.
final class URLSessionEngine: Sendable {
    typealias Limiter = ConnectionLimiter<URLSessionEngineTask>

    private let held: Locked<HeldSession>
    private let limiter: Locked<Limiter>

    /// Headers of the session's configuration, for every request that does not have them.
    private let configuredHeaders: HTTPHeaders

    /// Those that the engine adds in the session's place.
    var additionalHeaders: HTTPHeaders { Self.addsHeaders ? configuredHeaders : [:] }

    /// The queue on which tasks are made, started and cancelled: these calls wait for a queue that Foundation's callbacks run on.
    ///
    /// One for all sessions, as Foundation's on Linux is. With one for each, 255 sessions at work took all the threads
    /// dispatch has for serial queues, and Foundation's queue, for which they waited, never ran again.
    var commands: DispatchQueue { Self.sharedCommands }
    private static let sharedCommands = DispatchQueue(label: "HTTPTransport.URLSession")

    private let isClosed = Locked(false)

    /// - Parameters:
    ///   - session: The session to work with.
    ///   - owned: Whether the session is the engine's own. Another's is not kept alive by its engine.
    ///   - headers: The headers of its configuration.
    init(session: URLSession, owned: Bool, headers: HTTPHeaders) {
        held = Locked(HeldSession(own: owned ? session : nil, other: session))
        configuredHeaders = headers
        limiter = Locked(Limiter(perOrigin: Self.turns(session.configuration)))
    }

    /// The first of the configuration's headers that must not be sent.
    var invalidHeader: InvalidRequest? {
        for (name, value) in configuredHeaders {
            do throws(InvalidRequest) {
                try RequestCheck.check(name: name, value: value, length: .unknown)
            } catch {
                return error
            }
        }
        return nil
    }

    /// Refuses hops that have not begun from now on; those that have begun are finished.
    func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        let session = held.withLock { $0.own }
        commands.async { session?.finishTasksAndInvalidate() }
    }

    /// Runs on `commands`: makes the task and starts it; nil if the session is closed.
    func startTask(for hop: URLSessionEngineTask, _ request: URLRequest, file: URL?) -> URLSessionTask? {
        guard !isClosed.withLock({ $0 }), let session = held.withLock({ $0.own ?? $0.other }) else { return nil }
        let task = file.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
        attach(hop, to: task, of: session)
        task.resume()
        return task
    }
}

// MARK: Turns

extension URLSessionEngine {
    /// Hops that have their turn. Zero once every hop has ended, however it ended.
    var runningHops: Int { limiter.withLock { $0.running } }

    /// Lets the hop begin, now or when it is its turn.
    func enter(_ hop: URLSessionEngineTask, to origin: Origin) {
        guard let grant = limiter.withLock({ $0.enter(hop, to: origin) }) else { return }
        if !hop.begin(grant) { leave(grant) }
    }

    /// Gives a turn back; it goes to the first that still wants it.
    func leave(_ grant: Limiter.Grant) {
        var given = [grant]
        while let grant = given.popLast() {
            limiter.withLock { $0.leave(grant) }
            while let next = limiter.withLock({ $0.next() }) {
                if !next.hop.begin(next) { given.append(next) }
            }
        }
    }

    /// A hop has been cancelled that may be waiting.
    func cancelled(to origin: Origin) {
        let forgotten = limiter.withLock { $0.forget(to: origin) { $0.isCancelled } }
        withExtendedLifetime(forgotten) {}
    }
}

/// A session that is kept alive, or one that is not.
private struct HeldSession {
    let own: URLSession?
    weak var other: URLSession?
}
