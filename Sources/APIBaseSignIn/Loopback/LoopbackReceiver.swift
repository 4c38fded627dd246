import Basics
import LoopbackServer

/// Receives the callback of a sign-in in a command: a server on this machine for one request at a time (RFC 8252,
/// section 7.3).
///
/// ```swift
/// let receiver = try LoopbackReceiver()
/// let tokens = TokenSource.authorizationCode(…, redirect: receiver.url) { url in
///     print("Open \(url.absoluteString) in a browser.")
///     fflush(nil)                     // a pipe or a file would get the line at the end only
///     return try await receiver.callback(of: url)
/// }
/// ```
///
/// It listens on `127.0.0.1` as long as the object is held, at a free port, which servers must accept (RFC 8252,
/// section 7.3). A request that comes before the program waits for one is held until then, at most a minute. Only a `GET`
/// with the path and with the `state` of the sign-in is the callback. Others, such as that for an icon, get status 404,
/// and the wait goes on. So does an `error` without any `state`, since every page in the browser could send it; its code
/// is in ``TokenSource/SignInError/noCallback(within:refusal:)``.
public final class LoopbackReceiver: Sendable {
    /// The redirect URL, with the port: `http://127.0.0.1:49152/callback`.
    public let url: URL

    private let desk: CallbackDesk
    private let listener: SocketListener

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect URL, with a slash before it.
    ///   - message: The text that the browser shows after the sign-in.
    /// - Throws: `POSIXError` if the system gives no socket.
    public init(path: String = "/callback", message: String = "You can close this window.") throws {
        let desk = CallbackDesk(message: message)
        do {
            listener = try SocketListener(maximumConnections: 2 * CallbackDesk.mostVisitors) { desk.serve($0) }
        } catch SocketError.system(_, let code) {
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }
        self.desk = desk
        guard let url = URL(string: "http://127.0.0.1:\(listener.port)\(path)") else {
            listener.stop()
            throw POSIXError(.EINVAL)
        }
        self.url = url
    }

    deinit {
        listener.stop(waitingAtMost: .zero)
        desk.dismiss()
        // The threads only have to notice it. Then the port is free.
        listener.stop(waitingAtMost: .seconds(1))
    }

    /// Waits for the callback.
    ///
    /// - Parameters:
    ///   - authorization: The URL that the user opens. Requests with another `state` are not its callback.
    ///   - limit: The longest time to wait: ten minutes by default.
    /// - Returns: The URL of the callback.
    /// - Throws: `CancellationError` if the task is canceled,
    ///   ``TokenSource/SignInError/noCallback(within:refusal:)`` after the time,
    ///   ``TokenSource/SignInError/stateMismatch`` if the URL has no `state`, `POSIXError(.EBUSY)` if another callback is
    ///   waited for.
    public func callback(of authorization: URL, within limit: Duration = .seconds(600)) async throws -> URL {
        guard let state = try CallbackFields(of: authorization)["state"] else {
            throw TokenSource.SignInError.stateMismatch
        }
        let (callbacks, found) = AsyncStream.makeStream(of: URL.self, bufferingPolicy: .bufferingOldest(1))
        guard desk.open(for: CallbackDesk.Wait(redirect: url, state: state, found: found)) else {
            throw POSIXError(.EBUSY)
        }
        defer { desk.close() }
        let time = Task {
            try await Task.sleep(for: min(limit, .longest))
            found.finish()
        }
        defer { time.cancel() }
        for await callback in callbacks { return callback }
        try Task.checkCancellation()
        throw TokenSource.SignInError.noCallback(within: limit, refusal: desk.refusal)
    }
}
