import APIBaseCore
import APIBaseStreams
import Basics

/// Makes the connections of a socket: each is a call, whose request is the handshake.
final class SocketConnector<Incoming: Sendable>: Sendable {
    typealias Greeting = (message: SocketMessage, value: any Sendable)

    private struct State {
        /// The last value that has arrived.
        var last: Incoming?
        /// The attempts in a row after which nothing has arrived.
        var failures = 0
        var variant: SocketVariant?
    }

    /// Unchecked: from here on the request object is only read, as its documentation requires.
    private let calls: UncheckedSendable<StreamCalls>
    private let settings: SocketSettings
    let hooks: SocketHooks<Incoming>
    private let clock: any CallClock
    private let state = Locked(State())

    init(_ calls: StreamCalls, _ settings: SocketSettings, _ hooks: SocketHooks<Incoming>) {
        (self.calls, self.settings, self.hooks) = (UncheckedSendable(calls), settings, hooks)
        clock = calls.makeClock()
    }

    /// Whether connections may follow one another.
    var reconnects: Bool { settings.reconnect.mostAttempts > 1 }

    /// None where waits take no time.
    var pings: SocketPings? { clock.endsWaitsAtOnce ? nil : settings.pings }

    /// The first connection.
    func first() async throws -> any SocketChannel { try await connect(after: nil) }

    /// The connection that follows one which has ended so; nil if none shall.
    ///
    /// - Throws: The error of the last attempt.
    func next(after result: Result<SocketClose, any Error>) async throws -> (any SocketChannel)? {
        switch result {
        case .success(let close): guard hooks.reconnects(close) else { return nil }
        case .failure(let error): guard settings.reconnect.isTransient(error, status: nil) else { return nil }
        }
        while true {
            let (failures, last) = state.withLock { state in
                state.failures += 1
                return (state.failures, state.last)
            }
            guard failures < settings.reconnect.mostAttempts else { return nil }
            for try await _ in calls.value.pause(settings.reconnect.backoff.delay(after: failures), on: clock).values {}
            do {
                return try await connect(after: last)
            } catch {
                let status = state.withLock { $0.variant?.refusedStatus }
                let isTransient = settings.reconnect.isTransient(error, status: status)
                guard isTransient, failures + 1 < settings.reconnect.mostAttempts else { throw error }
            }
        }
    }

    private func connect(after last: Incoming?) async throws -> any SocketChannel {
        let variant = SocketVariant(settings) { [hooks] request in
            if let last { try hooks.resume(&request, last) }
        }
        state.withLock { $0.variant = variant }
        var replies = CallSequence(calls.value.call(variant)).makeAsyncIterator()
        guard let reply = try await replies.next() else { throw RequestError.nonHTTPResponse }
        return try variant.channel(after: reply)
    }

    /// The messages to send first on a connection.
    func greeting(_ unconfirmed: [any Sendable]) throws -> [Greeting] {
        try hooks.greeting(state.withLock { $0.last }, unconfirmed)
    }

    /// Messages have arrived, with these values.
    func haveArrived(_ values: [Incoming]) {
        state.withLock { state in
            state.failures = 0
            if let last = values.last { state.last = last }
        }
    }

    /// Tells those who watch the exchange of messages.
    func note(_ messages: [SocketMessage], areSent: Bool) {
        state.withLock { $0.variant }?.lastUpgrade?.note(messages, areSent: areSent)
    }
}

// MARK: Time

extension SocketConnector {
    /// Waits until the time has passed, or the task is canceled.
    func sleep(for time: Duration) async { await clock.forRealWork.sleep(for: time) }

    /// Whether the work has ended within this time, and has not been canceled.
    @discardableResult
    func within(_ time: Duration, _ work: @escaping @Sendable () async -> Void) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await work()
                return !Task.isCancelled
            }
            group.addTask {
                await self.sleep(for: time)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}

/// The methods of a ``SocketRequest``, for the connections.
struct SocketHooks<Incoming: Sendable>: Sendable {
    let decode: @Sendable (SocketMessage) throws -> Incoming?
    let resume: @Sendable (inout URLRequest, Incoming) throws -> Void
    let greeting: @Sendable (Incoming?, [any Sendable]) throws -> [SocketConnector<Incoming>.Greeting]
    let reconnects: @Sendable (SocketClose) -> Bool
}

extension RetryPolicy {
    /// Whether another connection may help. The status is that of a refused handshake, whose error the API may have
    /// replaced.
    fileprivate func isTransient(_ error: any Error, status: Int?) -> Bool {
        switch error {
        case SocketFailure.lost, SocketFailure.silent: true
        default: error.isTransient || status.map(statusCodes.contains) == true
        }
    }
}
