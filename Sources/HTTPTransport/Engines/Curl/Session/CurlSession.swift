#if os(Linux) || os(Android)
import CCurl
public import PortableCombine

/// A session on libcurl, the default on Linux. An exchange is a request with its redirects.
///
/// libcurl is in every process that imports FoundationNetworking. It is loaded with the first session; ``isAvailable``
/// says whether it was found. A session has an event loop for each processor (``Configuration/threads``), whose thread
/// moves the bytes and calls the subscribers; while a subscriber blocks, another thread takes over. Threads start with
/// the first exchange. Sessions share nothing: use one for many requests, so that connections are used again.
///
/// In addition to the rules of ``HTTPSession``:
/// - A sender is paused while its bytes are not demanded.
/// - Bodies are sent as they are read: a stream is read when there is room for more. `Content-Length` is sent if the
///   length is known, or if the stream ends within the first 256 KiB.
/// - A request whose kept connection ends before the response is sent again, whole, if its method is idempotent (RFC
///   9110, section 9.2.2) and it has no condition such as `If-Match`, which a repetition would not meet. Otherwise the
///   exchange fails with ``TransportError/Reason/connectionLost``. That includes streams that a server refuses when it
///   ends a connection with HTTP/2 (`GOAWAY`), since libcurl does not report the difference.
/// - A response that a server sends before it stops reading the body is delivered, even if the server then resets the
///   connection, or ends the stream of HTTP/2 by `RST_STREAM` with `NO_ERROR` (RFC 9113, section 8.1). If a success
///   without `Content-Length` is ended so before the body is sent, it is not known to be whole, and the exchange fails
///   with ``TransportError/Reason/connectionLost``. It also fails so if libcurl, from 7.88 to 8.0, reads the response
///   together with the reset, for then libcurl loses it; ``TransportError/underlying`` says so.
/// - A body from a stream or a sequence takes a connection when its first bytes are there.
/// - `Expect` is never sent. Interim responses and trailers are read and dropped.
/// - `Accept-Encoding` names the codings that can be decoded here, unless the request sets it. Responses are decoded
///   either way; an unknown coding, or data that is cut or broken, is an error.
/// - A response whose end is ambiguous is an error.
/// - There are no cookies, caches, stored credentials and `.netrc`.
///
/// In a forked process, the exchanges of its parent's sessions fail with ``TransportError/Reason/sessionClosed``; a new
/// session can be created there.
public final class CurlSession: HTTPSession {
    /// The settings of this session.
    public let configuration: Configuration

    private let loops: EventLoopGroup

    /// Creates a session with its own connections. Nothing is opened before the first exchange.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - fileChanged: Is told what became of files of the configuration that have changed, one after another, on a
    ///     queue of its own. Nothing is told of the content that is used first.
    public init(
        configuration: Configuration = Configuration(),
        fileChanged: @escaping @Sendable (FileChange) -> Void = { _ in }
    ) {
        self.configuration = configuration
        loops = EventLoopGroup(configuration, fileChanged: fileChanged)
    }

    deinit {
        loops.close()
    }

    /// Whether libcurl was found, is new enough (7.68), and has TLS and an asynchronous resolver. Exchanges fail
    /// otherwise.
    public static var isAvailable: Bool { unavailableReason == nil }

    /// The reason why libcurl cannot be used; nil if it can.
    public static var unavailableReason: String? { ccurl_unavailable().map { String(cString: $0) } }

    /// The versions of libcurl and its libraries.
    public static var libraryVersion: String { String(cString: ccurl_version_text()) }

    /// One hop (one request on the wire; a redirect starts the next) by libcurl.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        hop(request)
    }

    /// Runs tasks on the threads of the event loops. What a delivery resumes runs at the same loop.
    public var executor: (any TaskExecutor)? { loops }

    /// Refuses new exchanges with ``TransportError/Reason/sessionClosed``, finishes those that have started, redirects
    /// included, and closes the connections. Returns when that is done. Safe from any thread, and any number of times.
    public func shutdown() async {
        await withCheckedContinuation { continuation in
            loops.close { continuation.resume() }
        }
    }

    /// Refuses new exchanges, without waiting.
    package func close() { loops.close() }

    /// The number of exchanges that have started and have not ended, including those that wait.
    package var runningExchanges: Int { loops.count }
}

extension CurlSession: EngineSession {
    package func makeTask() -> any EngineTask { CurlTask(in: loops) }
}

extension CurlSession: CustomReflectable {
    /// The mirror for `dump`: the configuration, and no exchanges.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}
#endif
