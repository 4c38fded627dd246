import Basics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A socket of `URLSession`. On Linux it is compiled, and not used: ``URLSessionEngine/opensSockets``.
final class URLSessionSocket: SocketChannel {
    private struct State {
        /// Bytes that Foundation has not sent.
        var waiting = 0
        var cancelCall: (@Sendable () -> Void)?
        var failure: (any Error)?
    }

    /// The bytes that wait for the connection at most, before ``room()`` waits.
    private static let most = 256 << 10

    let subprotocol: String?
    private let task: URLSessionWebSocketTask
    private let state = Monitor(State())

    init(_ task: URLSessionWebSocketTask, subprotocol: String?) { (self.task, self.subprotocol) = (task, subprotocol) }

    func receive() async throws -> SocketArrivals {
        do {
            // Foundation's method does not notice that the task is canceled.
            switch try await withTaskCancellationHandler(
                operation: { try await task.receive() },
                onCancel: { task.cancel() }
            ) {
            case .string(let text): return SocketArrivals([.text(text)])
            case .data(let data): return SocketArrivals([.data(data)])
            @unknown default: return SocketArrivals()
            }
        } catch {
            if let failure = state.read({ $0.failure }) { throw failure }
            let code = SocketCloseCode(rawValue: UInt16(clamping: task.closeCode.rawValue))
            guard code.rawValue != 0, code != .abnormal else { throw error }
            let reason = String(decoding: task.closeReason ?? Data(), as: UTF8.self)
            return SocketArrivals(close: SocketClose(code: code, reason: reason))
        }
    }

    func send(_ message: SocketMessage) {
        let size = message.size
        state.change { $0.waiting += size }
        task.send(message.ofFoundation) { [state] _ in state.change { $0.waiting -= size } }
    }

    func room() async throws { try await state.wait { $0.waiting <= Self.most ? () : nil } }

    var unsent: Int { state.read { $0.waiting } }

    func ping(answered: @escaping @Sendable () -> Void) { task.sendPing { if $0 == nil { answered() } } }

    func close(_ close: SocketClose) {
        let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(close.code.rawValue)) ?? .normalClosure
        task.cancel(with: code, reason: close.reason.isEmpty ? nil : Data(close.reason.utf8))
    }

    func drain() async {}

    func hold(_ cancelCall: @escaping @Sendable () -> Void) { state.change { $0.cancelCall = cancelCall } }

    func cancel(with error: any Error) {
        let cancelCall = state.change { state in
            state.failure = state.failure ?? error
            return state.cancelCall.take()
        }
        task.cancel()
        cancelCall?()
    }
}

extension SocketMessage {
    fileprivate var ofFoundation: URLSessionWebSocketTask.Message {
        switch self {
        case .text(let text): .string(text)
        case .data(let data): .data(data)
        }
    }
}

extension URLSessionEngine {
    /// A task for a socket. Foundation makes the handshake, but for the subprotocols, and knows only its own schemes.
    func socketTask(with request: URLRequest, _ upgrade: ConnectionUpgrade, of session: URLSession) -> URLSessionTask {
        var request = request
        if var reference = request.url.map({ URLReference($0.absoluteString) }) {
            reference.scheme = reference.scheme == "https" ? "wss" : "ws"
            request.url = URL(string: reference.text) ?? request.url
        }
        let name = "Sec-WebSocket-Protocol"
        if let subprotocols = upgrade.headers[name] { request.setValue(subprotocols, forHTTPHeaderField: name) }
        let task = session.webSocketTask(with: request)
        task.maximumMessageSize = upgrade.messageLimit
        return task
    }
}
