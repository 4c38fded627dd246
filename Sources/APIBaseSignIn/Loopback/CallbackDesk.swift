import Basics
import Dispatch
import LoopbackServer

/// Where the requests of browsers meet the program that waits for one of them.
///
/// Each connection has a thread, which reads one request, holds it until the program waits, and answers it.
final class CallbackDesk: Sendable {
    /// A wait for one callback.
    struct Wait: Sendable {
        let redirect: URL
        let state: String
        let found: AsyncStream<URL>.Continuation
        /// The code of the last request with an `error` and without any `state`.
        var refusal: String?
    }

    private struct Visitor {
        let connection: SocketConnection
        let isCalled = DispatchSemaphore(value: 0)

        func dismiss() {
            connection.close()
            isCalled.signal()
        }
    }

    private struct State {
        var wait: Wait?
        /// The connections, the oldest first.
        var visitors: [Visitor] = []
    }

    /// Of more connections, the oldest make way: they may send nothing, and the browser sends its request at once.
    static let mostVisitors = 32

    /// More bytes are no head.
    private static let headLimit = 32 << 10

    private let page: String
    private let state = Locked(State())

    /// - Parameter message: The text that the browser shows after the sign-in.
    init(message: String) {
        let text = message.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        page = "<!DOCTYPE html><meta charset=\"utf-8\"><title>\(text)</title><p>\(text)</p>"
    }

    /// The code of a refusal that may be anyone's, while a wait goes on.
    var refusal: String? { state.withLock { $0.wait?.refusal } }

    /// Begins a wait. Returns false if another one goes on.
    func open(for wait: Wait) -> Bool {
        let (isFirst, held) = state.withLock { state -> (Bool, [Visitor]) in
            guard state.wait == nil else { return (false, []) }
            state.wait = wait
            return (true, state.visitors)
        }
        for visitor in held { visitor.isCalled.signal() }
        return isFirst
    }

    /// Ends the wait, and closes all connections.
    func close() {
        state.withLock { $0.wait = nil }
        dismiss()
    }

    /// Closes all connections, and ends their threads.
    func dismiss() {
        for visitor in state.withLock({ $0.visitors }) { visitor.dismiss() }
    }

    /// Reads the request of a connection, and answers it.
    func serve(_ connection: SocketConnection) {
        let visitor = Visitor(connection: connection)
        defer { state.withLock { $0.visitors.removeAll { $0.connection === connection } } }
        let oldest = state.withLock { state in
            state.visitors.append(visitor)
            return state.visitors.count > Self.mostVisitors ? state.visitors.removeFirst() : nil
        }
        oldest?.dismiss()
        let end = Array("\r\n\r\n".utf8)
        guard let bytes = try? connection.read(until: end, atMost: Self.headLimit), let wait = wait(for: visitor) else {
            return
        }
        let callback = callback(in: String(decoding: bytes, as: UTF8.self), for: wait)
        // Before the program goes on, which may end the process.
        try? connection.write(callback == nil ? Self.answer("404 Not Found", "") : Self.answer("200 OK", page))
        if let callback { wait.found.yield(callback) }
    }

    /// The wait that goes on, or begins within a minute.
    private func wait(for visitor: Visitor) -> Wait? {
        repeat {
            if let wait = state.withLock({ $0.wait }) { return wait }
        } while !visitor.connection.isClosed && visitor.isCalled.wait(timeout: .now() + .seconds(60)) == .success
        return nil
    }

    /// The URL of the callback, if this is its head; `nil` for another request.
    private func callback(in head: String, for wait: Wait) -> URL? {
        let (redirect, parts) = (wait.redirect, head.prefix { $0 != "\r\n" }.split(separator: " "))
        guard parts.count == 3, parts[0] == "GET", parts[1].hasPrefix("/"), !parts[1].hasPrefix("//"),
            let callback = URL(string: String(parts[1]), relativeTo: redirect)?.absoluteURL,
            callback.path == redirect.path, callback.host == redirect.host, callback.port == redirect.port,
            let fields = try? CallbackFields(of: callback)
        else { return nil }
        if fields["state"] == nil, let code = fields["error"], OAuthText.isCode(code) {
            let code = OAuthText(without: [wait.state]).code(code)
            state.withLock { if $0.wait?.state == wait.state { $0.wait?.refusal = code } }
        }
        return fields["state"] == wait.state ? callback : nil
    }

    /// An answer with a page, after which the connection ends.
    private static func answer(_ status: String, _ page: String) -> String {
        """
        HTTP/1.1 \(status)\r
        Content-Type: text/html; charset=utf-8\r
        Content-Length: \(page.utf8.count)\r
        Cache-Control: no-store\r
        Referrer-Policy: no-referrer\r
        Connection: close\r
        \r
        \(page)
        """
    }
}
