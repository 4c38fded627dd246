import Basics
import HTTPTransport

/// A WebSocket without a network: what the client sends waits for the stub, and the other way round.
final class StubChannel: SocketChannel {
    private struct State {
        var toClient = SocketArrivals()
        var toStub = Queue<SocketMessage>()
        var isSilent = false
        /// Whether the stub has ended the connection.
        var isOver = false
        var close: SocketClose?
        /// The error for the client, once the connection has ended.
        var failure: (any Error)?
        var cancelCall: (@Sendable () -> Void)?
    }

    let subprotocol: String?
    private let state = Monitor(State())
    /// Ends the exchange of the handshake, with an error that the client gets.
    private let endExchange: @Sendable (EngineFailure?) -> Void

    init(subprotocol: String?, endExchange: @escaping @Sendable (EngineFailure?) -> Void) {
        (self.subprotocol, self.endExchange) = (subprotocol, endExchange)
    }

    func receive() async throws -> SocketArrivals {
        try await state.wait { state in
            guard state.toClient.messages.isEmpty, state.toClient.close == nil else {
                defer { state.toClient = SocketArrivals() }
                return state.toClient
            }
            if let failure = state.failure { throw failure }
            return nil
        }
    }

    func send(_ message: SocketMessage) {
        state.change { state in
            if state.close == nil { state.toStub.append(message) }
        }
    }

    func room() async {}

    var unsent: Int { 0 }

    func ping(answered: @escaping @Sendable () -> Void) { if !state.read({ $0.isSilent }) { answered() } }

    /// The answer comes at once, also from a stub whose function goes on.
    func close(_ close: SocketClose) {
        state.change { $0.close = $0.close ?? close }
        end(nil, with: close)
    }

    func drain() async {}

    func hold(_ cancelCall: @escaping @Sendable () -> Void) { state.change { $0.cancelCall = cancelCall } }

    func cancel(with error: any Error) {
        let cancelCall = state.change { state in
            state.failure = state.failure ?? error
            return state.cancelCall.take()
        }
        cancelCall?()
    }
}

// MARK: For the stub

extension StubChannel {
    /// The next message of the client.
    func sent() async throws -> SocketMessage {
        try await state.wait { state in
            if let message = state.toStub.popFirst() { return message }
            if state.close != nil || state.failure != nil { throw StubSocket.Ended(close: state.close) }
            return nil
        }
    }

    /// Delivers to the client, unless the connection has ended.
    func deliver(_ message: SocketMessage) {
        state.change { state in
            if !state.isOver { state.toClient.messages.append(message) }
        }
    }

    /// Ends the exchange, and then the connection: the client gives up the exchange as soon as it knows.
    func end(_ failure: EngineFailure?, with close: SocketClose? = nil) {
        let isFirst = state.read { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        endExchange(failure)
        if let close { state.change { $0.toClient.close = close } }
    }

    func fallSilent() { state.change { $0.isSilent = true } }
}
