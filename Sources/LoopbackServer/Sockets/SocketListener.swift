import Dispatch
package import Foundation
import Basics

/// Accepts TCP connections, and calls a handler for each on its own thread.
///
/// At the maximum number of connections, more wait in the queue of the system. The listener closes a connection when
/// its handler returns.
package final class SocketListener: Sendable {
    package typealias Handler = @Sendable (SocketConnection) -> Void

    private struct State {
        var isStopping = false
        var accepted = 0
        var open: [ObjectIdentifier: SocketConnection] = [:]
    }

    package let port: UInt16
    private let maximumConnections: Int

    private let state = Locked(State())
    private let wakePipe: WakePipe
    private let threads = DispatchGroup()

    /// Binds to a numeric IPv4 address, with port 0 to any free port, and starts to accept. Throws ``SocketError``.
    package init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        maximumConnections: Int = 512,
        handler: @escaping Handler
    ) throws {
        wakePipe = try WakePipe()
        let descriptor = try SocketDescriptor.makeStream()
        self.port = try descriptor.disposingOnError {
            // Allows to bind a port again while its old connections are in TIME_WAIT.
            try descriptor.set(SO_REUSEADDR)
            try descriptor.listen(host: host, port: port, backlog: 1_024)
            return try descriptor.boundPort()
        }
        self.maximumConnections = max(1, maximumConnections)
        threads.enter()
        Thread.startWithLargeStack { [self] in
            acceptUntilStopped(descriptor, handler)
            descriptor.dispose()
            threads.leave()
        }
    }

    package var acceptedConnections: Int { state.withLock { $0.accepted } }

    /// The number of connections whose handler has not returned.
    package var openConnections: Int { state.withLock { $0.open.count } }

    /// Stops accepting, closes every connection and waits for the handlers. Returns whether all have returned in time.
    ///
    /// A listener that is not stopped runs as long as the process. A handler that calls this waits until the limit.
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
                // Out of descriptors. Waits, because an immediate retry would spin.
                try? wakePipe.receiver.wait(until: .readable, before: .now + .milliseconds(50))
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
        Thread.startWithLargeStack { [self] in
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

/// Wakes a thread that waits in `poll`.
private final class WakePipe: Sendable {
    /// Readable after ``wake()``, until ``drain()``.
    let receiver: SocketDescriptor
    private let sender: SocketDescriptor

    init() throws {
        var numbers: [Int32] = [0, 0]
        guard pipe(&numbers) == 0 else { throw SocketError.system(call: "pipe", code: errno) }
        receiver = SocketDescriptor(number: numbers[0])
        sender = SocketDescriptor(number: numbers[1])
        for number in numbers {
            _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        receiver.dispose()
        sender.dispose()
    }

    /// Does nothing if the pipe is full, because then the reader is awake already.
    func wake() {
        var byte: UInt8 = 1
        _ = write(sender.number, &byte, 1)
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(receiver.number, &bytes, bytes.count) == bytes.count {}
    }
}

extension Thread {
    /// Starts a thread with a stack of four mebibytes. Some systems give half a mebibyte, which deeply nested JSON
    /// overflows.
    fileprivate static func startWithLargeStack(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 4 << 20
        thread.start()
    }
}

extension Duration {
    /// The duration in seconds.
    package var timeInterval: TimeInterval { self / .seconds(1) }
}
