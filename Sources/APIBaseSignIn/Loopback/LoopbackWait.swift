import Basics
import Dispatch

/// A wait for one request at a socket. It runs on a queue of its own, and blocks no thread.
final class LoopbackWait: Sendable {
    /// Gets the head of a request. Returns the bytes that answer it, and the URL if it was the one.
    typealias Handler = @Sendable (_ head: String) -> (answer: String, url: URL?)

    private struct State {
        var continuation: CheckedContinuation<URL, any Error>?
        var result: Result<URL, any Error>?
        var accepting: (any DispatchSourceRead)?
        var timer: (any DispatchSourceTimer)?
        /// The connections, the oldest first.
        var connections: [LoopbackConnection] = []
    }

    private static let mostConnections = 32

    private let socket: LoopbackSocket
    private let handler: Handler
    private let queue = DispatchQueue(label: "APIBaseKit.LoopbackReceiver")
    private let state = Locked(uncheckedState: State())

    init(of socket: LoopbackSocket, handler: @escaping Handler) {
        (self.socket, self.handler) = (socket, handler)
    }

    /// Accepts connections until the request has come.
    func run(within limit: Duration) async throws -> URL {
        guard
            socket.isFree.withLock({ isFree in
                defer { isFree = false }
                return isFree
            })
        else { throw POSIXError(.EBUSY) }
        defer { socket.isFree.withLock { $0 = true } }
        return try await withCheckedThrowingContinuation { continuation in
            let result = state.withLockUnchecked { state -> Result<URL, any Error>? in
                if state.result == nil { state.continuation = continuation }
                return state.result
            }
            if let result { return continuation.resume(with: result) }
            queue.async { self.start(within: limit) }
        }
    }

    /// Ends the wait. Only the first result counts.
    func end(with result: Result<URL, any Error>) {
        let ended = state.withLockUnchecked { state -> State? in
            guard state.result == nil else { return nil }
            defer { state = State(result: result) }
            return state
        }
        ended?.accepting?.cancel()
        ended?.timer?.cancel()
        for connection in ended?.connections ?? [] { connection.close() }
        ended?.continuation?.resume(with: result)
    }

    private func start(within limit: Duration) {
        let accepting = DispatchSource.makeReadSource(fileDescriptor: socket.number, queue: queue)
        accepting.setEventHandler { [weak self] in self?.accept() }
        // The descriptor must stay open until the source has let go of it.
        accepting.setCancelHandler { [socket] in withExtendedLifetime(socket) {} }
        let late = TokenSource.SignInError.noCallback(within: limit)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + limit.inSeconds)
        timer.setEventHandler { [weak self] in self?.end(with: .failure(late)) }
        let hasEnded = state.withLockUnchecked { state in
            if state.result == nil { (state.accepting, state.timer) = (accepting, timer) }
            return state.result != nil
        }
        // A source that is released must have been resumed.
        accepting.resume()
        timer.resume()
        guard hasEnded else { return }
        accepting.cancel()
        timer.cancel()
    }

    private func accept() {
        do {
            try acceptAll()
        } catch {
            // Otherwise the system would report the connection that waits, again and again.
            end(with: .failure(error))
        }
    }

    private func acceptAll() throws {
        while let number = try socket.accept() {
            let connection = LoopbackConnection(number, on: queue) { [weak self] connection, head in
                self?.received(head, from: connection)
            }
            // The oldest make way, which may send nothing. The browser's sends its request at once.
            let (isTaken, oldest) = state.withLockUnchecked { state -> (Bool, LoopbackConnection?) in
                guard state.result == nil else { return (false, nil) }
                state.connections.append(connection)
                return (true, state.connections.count > Self.mostConnections ? state.connections.removeFirst() : nil)
            }
            oldest?.close()
            if isTaken { connection.start() } else { connection.close() }
        }
    }

    private func received(_ head: String?, from connection: LoopbackConnection) {
        let answer = head.map(handler)
        if let answer { connection.send(answer.answer) }
        state.withLockUnchecked { $0.connections.removeAll { $0 === connection } }
        connection.close()
        if let url = answer?.url { end(with: .success(url)) }
    }

    /// An answer with a page, after which the connection ends.
    static func answer(_ status: String, _ page: String) -> String {
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
