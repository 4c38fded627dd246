import Basics

/// One TCP connection: reads and writes that end in time, whatever the peer does.
///
/// Reading is for one thread at a time and so is writing; ``close()`` and ``reset()`` may be called from any thread,
/// and make a waiting read or write fail with ``SocketError/closed``. A write to a peer that has gone is an error,
/// never a signal.
package final class SocketConnection: Sendable {
    private struct State {
        var descriptor: SocketDescriptor?
        var isClosing = false
        var operations = 0
    }

    private let state: Locked<State>
    /// The bytes that were read past a marker and not yet handed out.
    let surplus = Locked<[UInt8]>([])

    /// Takes a connected socket over; closes it where it cannot be prepared.
    init(descriptor: SocketDescriptor) throws {
        do {
            try descriptor.prepare()
        } catch {
            descriptor.dispose()
            throw error
        }
        descriptor.disableDelay()
        state = Locked(State(descriptor: descriptor))
    }

    /// Connects to a listening socket.
    package convenience init(
        connectingTo port: UInt16,
        host: String = "127.0.0.1",
        before deadline: ContinuousClock.Instant = .now + .seconds(60)
    ) throws {
        let descriptor = try SocketDescriptor.makeStream()
        do {
            try descriptor.connect(host: host, port: port, before: deadline)
        } catch {
            descriptor.dispose()
            throw error
        }
        try self.init(descriptor: descriptor)
    }

    deinit { close() }

    /// Whether this side has closed.
    package var isClosed: Bool { state.withLock { $0.isClosing } }

    /// Ends the stream of this side; what the peer sends can still be read.
    package func finishWriting() {
        try? withDescriptor { $0.endSending() }
    }

    /// Ends both ways. Does nothing the second time.
    package func close() { end(byReset: false) }

    /// Drops the connection with a reset, so that the peer's next read or write fails. Does nothing once closed.
    package func reset() { end(byReset: true) }

    private func end(byReset: Bool) {
        let (descriptor, isBusy) = state.withLock { state -> (SocketDescriptor?, Bool) in
            guard !state.isClosing, let descriptor = state.descriptor else { return (nil, false) }
            state.isClosing = true
            if byReset { descriptor.resetWhenDisposed() }
            if state.operations > 0 {
                // Wakes whoever waits. Under the lock, as the number must not be given back before.
                descriptor.endBothWays()
                return (descriptor, true)
            }
            state.descriptor = nil
            return (descriptor, false)
        }
        if !isBusy { descriptor?.dispose() }
    }

    /// Runs `body` with the descriptor, which keeps its number until `body` is done.
    func withDescriptor<Result>(_ body: (SocketDescriptor) throws -> Result) throws -> Result {
        let descriptor = try state.withLock { state -> SocketDescriptor in
            guard !state.isClosing, let descriptor = state.descriptor else { throw SocketError.closed }
            state.operations += 1
            return descriptor
        }
        defer {
            let abandoned = state.withLock { state -> SocketDescriptor? in
                state.operations -= 1
                guard state.isClosing, state.operations == 0 else { return nil }
                defer { state.descriptor = nil }
                return state.descriptor
            }
            abandoned?.dispose()
        }
        do {
            let result = try body(descriptor)
            guard !isClosed else { throw SocketError.closed }
            return result
        } catch {
            throw isClosed ? SocketError.closed : error
        }
    }
}
