import Basics
public import PortableCombine

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSession: HTTPSession {
    /// One hop (one request on the wire; a redirect starts the next), by a task of this session; on Linux by a task of
    /// another session with a copy of this one's configuration.
    ///
    /// On Apple systems the task has its own delegate, which answers redirects and keeps responses out of caches.
    /// Challenges and the rest still go to the session's delegate. Foundation adds the headers of the configuration
    /// there, also to requests to another origin after a redirect: put no secrets into them. A session must not be
    /// invalidated while requests may still begin on it: Foundation raises an exception for them there, which ends the
    /// program and cannot be caught in Swift. The head of a response without `X-Content-Type-Options: nosniff` may come
    /// late there: for some media types, `text/html` among them, Foundation first reads up to 512 bytes of the body to
    /// guess the type.
    ///
    /// On Linux the session's delegate would get the task's data, and a task's own delegate would not. So the
    /// configuration is copied on first use, and the session's delegate is never called. Protocol classes, the number
    /// of connections for each host and additional headers are kept (secret headers are not sent to another origin);
    /// cookies, cache and credentials are removed. The copy lives as long as this session. A redirect that becomes the
    /// response (301, 302, 303, 307, 308) has no body there: Foundation drops it.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        hop(request)
    }
}

extension URLSession: EngineSession {
    package func makeTask() -> any EngineTask {
        URLSessionEngineTask(on: URLSessionEngines.shared.engine(for: self))
    }
}

/// The engines of users' sessions: one for each, as long as the session lives.
///
/// On Linux nothing can be attached to a session, so a table maps sessions to engines. It does not retain the sessions,
/// and removes the engines of those that are gone when a new one is added.
final class URLSessionEngines: Sendable {
    static let shared = URLSessionEngines()

    private struct Entry {
        weak var session: URLSession?
        let engine: URLSessionEngine
    }

    private let entries: Locked<[ObjectIdentifier: Entry]> = Locked([:])

    func engine(for session: URLSession) -> URLSessionEngine {
        let key = ObjectIdentifier(session)
        if let known = entries.withLock({ $0[key] }), known.session === session { return known.engine }
        let made = URLSessionEngine(serving: session)
        let (engine, dropped) = entries.withLock { entries -> (URLSessionEngine, [Entry]) in
            if let known = entries[key], known.session === session { return (known.engine, []) }
            let gone = entries.filter { $0.value.session == nil }
            for key in gone.keys { entries[key] = nil }
            entries[key] = Entry(session: session, engine: made)
            return (made, Array(gone.values))
        }
        for entry in dropped { entry.engine.retire() }
        if engine !== made { made.retire() }
        return engine
    }
}
