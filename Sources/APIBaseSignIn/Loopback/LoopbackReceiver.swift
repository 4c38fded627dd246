import Basics
import Dispatch

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
/// section 7.3). Connections are accepted while a callback is waited for. Only a `GET` with the path and with the `state`
/// of the sign-in is the callback; others, such as that for an icon, get status 404. An `error` without any `state` is
/// taken as well, since some servers refuse so: the sign-in fails with its code.
public final class LoopbackReceiver: Sendable {
    /// The redirect URL, with the port: `http://127.0.0.1:49152/callback`.
    public let url: URL

    private let socket: LoopbackSocket
    private let path: String
    private let page: String

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect URL, with a slash before it.
    ///   - message: The text that the browser shows after the sign-in.
    /// - Throws: `POSIXError` if the system gives no socket.
    public init(path: String = "/callback", message: String = "You can close this window.") throws {
        socket = try LoopbackSocket()
        guard let url = URL(string: "http://127.0.0.1:\(socket.port)\(path)") else { throw POSIXError(.EINVAL) }
        (self.url, self.path) = (url, url.path)
        page =
            "<!DOCTYPE html><meta charset=\"utf-8\"><title>\(message.escapedForHTML)</title>"
            + "<p>\(message.escapedForHTML)</p>"
    }

    /// Waits for the callback.
    ///
    /// - Parameters:
    ///   - authorization: The URL that the user opens. Requests with another `state` are not its callback.
    ///   - limit: The longest time to wait.
    /// - Returns: The URL of the callback.
    /// - Throws: `CancellationError` if the task is canceled, ``TokenSource/SignInError/noCallback(within:)`` after the
    ///   time, ``TokenSource/SignInError/denied(code:explanation:)`` for an `error` without any `state`,
    ///   ``TokenSource/SignInError/stateMismatch`` if the URL has no `state`, `POSIXError(.EBUSY)` if another callback is
    ///   waited for, and other errors of the system if it gives no connection.
    public func callback(of authorization: URL, within limit: Duration = .seconds(600)) async throws -> URL {
        guard let state = try CallbackFields(of: authorization)["state"] else {
            throw TokenSource.SignInError.stateMismatch
        }
        let waiting = LoopbackWait(of: socket) { [url, path, page] head in
            guard let target = Self.target(of: head), let callback = URL(string: target, relativeTo: url)?.absoluteURL,
                callback.path == path, callback.host == url.host, callback.port == url.port,
                let fields = try? CallbackFields(of: callback),
                fields["state"] == state || fields.errorWithoutState != nil
            else { return (LoopbackWait.answer("404 Not Found", ""), nil) }
            return (LoopbackWait.answer("200 OK", page), callback)
        }
        let callback = try await withTaskCancellationHandler {
            try await waiting.run(within: limit)
        } onCancel: {
            waiting.end(with: .failure(CancellationError()))
        }
        if let code = try CallbackFields(of: callback).errorWithoutState {
            // Any page in the browser could have sent it, so its explanation is not shown.
            throw TokenSource.SignInError.denied(code: code, explanation: nil)
        }
        return callback
    }

    /// The target of a `GET` request; nil for others.
    private static func target(of head: String) -> String? {
        let parts = head.prefix { $0 != "\r\n" }.split(separator: " ")
        guard parts.count == 3, parts[0] == "GET", parts[1].hasPrefix("/"), !parts[1].hasPrefix("//") else {
            return nil
        }
        return String(parts[1])
    }
}

extension String {
    fileprivate var escapedForHTML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
