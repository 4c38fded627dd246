#if os(Linux) || os(Android)
import CCurl
public import PortableCombine

/// A session on libcurl, driven directly: what serves on Linux where there is no reason for another.
///
/// libcurl is in every process that imports FoundationNetworking. It is found when the first session is asked for;
/// ``isAvailable`` says whether it was. A session has an event loop for each processor (``Configuration/threads``), whose
/// thread moves the bytes and calls the subscribers; while a subscriber blocks, another thread goes on. Threads start with
/// the first exchange. Sessions share nothing: use one for many requests, so that connections are used again.
///
/// What an exchange can count on beside ``HTTPSession``:
/// - A sender has to wait while nobody takes what it has sent.
/// - Bodies are sent as they are read: a stream is asked for more when there is room for it. Its length is announced if
///   it is known, or turns out while less than 256 KiB have been read.
/// - A request whose kept connection dies before the answer is sent again, whole, if its method is idempotent (RFC 9110,
///   section 9.2.2). Otherwise the exchange fails with ``TransportError/Reason/connectionLost``. That includes streams
///   which a server refuses when it gives up a connection with HTTP/2 (`GOAWAY`), since libcurl does not tell them apart.
/// - A response that a server sends before it stops reading the body is the response, also if it resets the connection then.
/// - `Expect` is never sent. Interim responses and trailers are read and dropped.
/// - `Accept-Encoding` names what can be undone here, unless the request has one of its own. What is coded is decoded
///   either way; a coding that is unknown, or data that is cut or broken, is an error.
/// - A response that says twice, or not clearly, where it ends is an error.
/// - Cookies, caches, stored credentials and `.netrc` do not exist.
///
/// In a process that was forked from one with a session, the session refuses with
/// ``TransportError/Reason/sessionClosed``; a new one can be made there.
public final class CurlSession: HTTPSession {
    /// The settings of this session.
    public let configuration: Configuration

    private let loops: EventLoopGroup

    /// A session of its own, with its own connections. Nothing is opened before the first exchange.
    ///
    /// - Parameter configuration: How to connect.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        loops = EventLoopGroup(configuration)
    }

    deinit {
        loops.close()
    }

    /// Whether libcurl was found, is new enough (7.68) and has what is needed. Exchanges fail otherwise.
    public static var isAvailable: Bool { unavailableReason == nil }

    /// Why libcurl cannot be used; nil if it can.
    public static var unavailableReason: String? { ccurl_unavailable().map { String(cString: $0) } }

    /// libcurl's version and that of what it was built with.
    public static var libraryVersion: String { String(cString: ccurl_version_text()) }

    /// One hop by libcurl.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        hop(request)
    }

    /// Refuses new exchanges with ``TransportError/Reason/sessionClosed``, lets all that have been started end, their
    /// redirects included, and closes the connections. Returns when that is done. Safe from any thread, as often as wanted.
    public func shutdown() async {
        await withCheckedContinuation { continuation in
            loops.close { continuation.resume() }
        }
    }

    /// Refuses new exchanges, and waits for nothing.
    package func close() { loops.close() }

    /// Exchanges that have been started and have not ended, those that wait included.
    package var runningExchanges: Int { loops.count }
}

extension CurlSession: EngineSession {
    package func makeTask() -> any EngineTask { CurlTask(in: loops) }
}

extension CurlSession: CustomReflectable {
    /// The mirror for `dump`: the configuration, as it describes itself, and nothing of the exchanges that are under way.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}
#endif
