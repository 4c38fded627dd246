public import APIBaseKit
import Basics
import Foundation
import LoopbackServer

/// A page in the browser that shows the calls of this process: their requests and responses, attempts, times, cache hits
/// and classes.
///
/// ```swift
/// let inspector = try Inspector.start()
/// // Calls are shown at http://127.0.0.1:49213/#k=6f0c…
///
/// class BooksAPI: JSONAPI {
///     override func report(_ event: CallEvent) { Inspector.current?.report(event) }
/// }
/// ```
///
/// It is for development: leave it out of releases. The server answers only on the loopback address of this machine, and
/// shows calls only with the token at the end of the URL. Secrets are removed as in recordings
/// (``/APIBaseKit/RedactionRules``) before a call is kept. Of each body, the first 64 KiB are kept; bodies of streams and
/// files are not. The newest 500 calls with at most 16 MiB stay in memory.
public final class Inspector: CallWatcher {
    private static let running = Locked<Inspector?>(nil)

    /// The inspector that runs; `nil` if none does.
    public static var current: Inspector? { running.withLock { $0 } }

    /// The URL of the page, with its token.
    public let url: URL

    private let server: PageServer
    private let events: EventQueue

    /// An inspector beside that of the process, for tests.
    package init(port: UInt16 = 0, redacting rules: RedactionRules = .default) throws {
        let feed = CallFeed()
        events = EventQueue(into: feed, redacting: rules)
        do {
            server = try PageServer(port: port, feed: feed)
        } catch {
            throw StartError(reason: error.localizedDescription)
        }
        url = server.url
    }

    /// Starts the inspector of this process, and tells the URL of its page. If one runs, nothing happens.
    ///
    /// - Parameters:
    ///   - port: The port of the page on the loopback address; 0, the default, for any free port.
    ///   - redaction: The names of secrets.
    ///   - announce: Takes the line with the URL; by default, it is written to the standard error.
    /// - Returns: The inspector, which is ``current`` until it is stopped.
    /// - Throws: ``StartError``, if the server cannot start.
    @discardableResult
    public static func start(
        port: UInt16 = 0,
        redacting redaction: RedactionRules = .default,
        announcing announce: (String) -> Void = CallLog.standardError
    ) throws -> Inspector {
        let (inspector, isNew) = try running.withLock { running in
            if let running { return (running, false) }
            let inspector = try Inspector(port: port, redacting: redaction)
            running = inspector
            return (inspector, true)
        }
        if isNew { announce("Calls are shown at \(inspector.url.absoluteString)") }
        return inspector
    }

    /// Takes an event of a call. It returns at once: the work is done on another queue.
    public func report(_ event: CallEvent) { events.add(event) }

    /// Stops the server, and forgets the calls. A page that is open says that it is not connected.
    public func stop() {
        Self.running.withLock { if $0 === self { $0 = nil } }
        server.stop()
    }

    /// The server could not start.
    public struct StartError: Error, Sendable, LocalizedError {
        /// The reason of the system.
        public let reason: String

        /// A sentence with the reason.
        public var errorDescription: String? { "The inspector could not start: \(reason)" }
    }
}
