import Dispatch
import Foundation
import Basics

/// Accepts TCP connections and hands each to a handler on a thread of its own.
///
/// At the cap of open connections it stops accepting: more wait in the system's queue until one ends. The listener
/// closes a connection when its handler returns.
package final class SocketListener: Sendable {
    package typealias Handler = @Sendable (SocketConnection) -> Void

    private struct State {
        var isStopping = false
        var accepted = 0
        var open: [ObjectIdentifier: SocketConnection] = [:]
    }

    /// The port it listens on, also where a free one was asked for.
    package let port: UInt16
    /// The numeric address it listens on.
    package let host: String
    /// The most connections that are open at a time.
    package let maximumConnections: Int

    private let state = Locked(State())
    private let wakePipe: WakePipe
    private let threads = DispatchGroup()

    /// Binds, listens and starts to accept.
    ///
    /// - Parameters:
    ///   - host: A numeric IPv4 address.
    ///   - port: 0 for any free port.
    ///   - maximumConnections: The cap of open connections.
    ///   - handler: Called on a thread of the connection's own.
    /// - Throws: ``SocketError/addressInUse(host:port:)`` where the port is taken, or another ``SocketError``.
    package init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        maximumConnections: Int = 512,
        handler: @escaping Handler
    ) throws {
        wakePipe = try WakePipe()
        let descriptor = try SocketDescriptor.makeStream()
        do {
            try descriptor.allowQuickRebinding()
            try descriptor.listen(host: host, port: port, backlog: 1_024)
            self.port = try descriptor.boundPort()
        } catch {
            descriptor.dispose()
            throw error
        }
        self.host = host
        self.maximumConnections = max(1, maximumConnections)
        threads.enter()
        Thread.startWithRoom { [self] in
            acceptUntilStopped(descriptor, handler)
            descriptor.dispose()
            threads.leave()
        }
    }

    /// The number of connections accepted since the start.
    package var acceptedConnections: Int { state.withLock { $0.accepted } }

    /// The number of connections with a handler that has not returned.
    package var openConnections: Int { state.withLock { $0.open.count } }

    /// Stops accepting, closes every connection and waits until all handlers have returned.
    ///
    /// Once called it never starts again. A listener that is not stopped goes on for as long as the process. Safe from
    /// any thread and as often as wanted; from inside a handler it can only wait in vain for that handler.
    ///
    /// - Parameter limit: The longest wait.
    /// - Returns: Whether every thread had ended by then.
    @discardableResult
    package func stop(waitingAtMost limit: Duration = .seconds(10)) -> Bool {
        let connections = state.withLock { state in
            state.isStopping = true
            return Array(state.open.values)
        }
        wakePipe.wake()
        for connection in connections { connection.close() }
        return threads.wait(timeout: .now() + limit.timeInterval) == .success
    }

    private func acceptUntilStopped(_ listening: SocketDescriptor, _ handler: @escaping Handler) {
        while true {
            let (isStopping, isFull) = state.withLock { ($0.isStopping, $0.open.count >= maximumConnections) }
            if isStopping { return }
            let watched = isFull ? [wakePipe.receiver] : [wakePipe.receiver, listening]
            guard let ready = try? SocketDescriptor.firstReady(of: watched, for: .readable, before: nil) else { return }
            if ready.contains(0) { wakePipe.drain() }
            guard ready.contains(1) else { continue }
            do {
                if let descriptor = try listening.acceptNext() { serve(descriptor, handler) }
            } catch {
                // Out of descriptors: asking again at once would only spin.
                _ = try? SocketDescriptor.firstReady(
                    of: [wakePipe.receiver],
                    for: .readable,
                    before: .now + .milliseconds(50)
                )
            }
        }
    }

    private func serve(_ descriptor: SocketDescriptor, _ handler: @escaping Handler) {
        guard let connection = try? SocketConnection(descriptor: descriptor) else { return }
        let id = ObjectIdentifier(connection)
        let isStopping = state.withLock { state in
            state.accepted += 1
            if !state.isStopping { state.open[id] = connection }
            return state.isStopping
        }
        guard !isStopping else { return connection.close() }
        threads.enter()
        Thread.startWithRoom { [self] in
            handler(connection)
            connection.close()
            let wasFull = state.withLock { state in
                defer { state.open[id] = nil }
                return state.open.count >= maximumConnections
            }
            if wasFull { wakePipe.wake() }
            threads.leave()
        }
    }
}

extension Thread {
    /// Starts a thread with a stack of four mebibytes. Where the system gives half a mebibyte by default, deeply nested
    /// JSON would overflow it.
    fileprivate static func startWithRoom(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 4 << 20
        thread.start()
    }
}

extension Duration {
    /// In seconds.
    var timeInterval: TimeInterval { self / .seconds(1) }
}
