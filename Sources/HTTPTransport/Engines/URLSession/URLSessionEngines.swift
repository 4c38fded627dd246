import Foundation
import Basics

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The engines of the sessions that users have made: one for each, as long as the session lives.
///
/// There is nothing on Linux to hang an engine on a session, so a table remembers who belongs to whom. It holds no
/// session, and forgets those that are gone when a new one comes.
final class URLSessionEngines: Sendable {
    static let shared = URLSessionEngines()

    private struct Entry {
        weak var session: URLSession?
        let engine: URLSessionEngine
    }

    private let entries: Locked<[ObjectIdentifier: Entry]> = Locked([:])

    /// The engine that serves `session`.
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
