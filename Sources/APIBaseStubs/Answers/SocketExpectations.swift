import Basics
import HTTPTransport

/// The messages that the sockets of a stub still expect of their clients, and those that did not come.
final class SocketExpectations: Sendable {
    /// The state of the stub of a socket.
    enum Status {
        /// It runs, or is about to, and may expect something next.
        case running
        case expecting(SocketMessage)
        /// It takes what comes.
        case receiving
    }

    private struct State {
        var open: [ObjectIdentifier: Status] = [:]
        var unmet: [StubSocket.Unexpected] = []
        /// Whether the stubs have had the time for what their clients have sent.
        var hasSettled = false

        var expected: [SocketMessage] {
            open.values.compactMap { if case .expecting(let message) = $0 { message } else { nil } }
        }

        var isSettled: Bool { open.values.allSatisfy { if case .receiving = $0 { true } else { false } } }
    }

    private let state = Monitor(State())

    /// Sets the status of a socket; nil once its stub has ended.
    func set(_ status: Status?, of socket: ObjectIdentifier) { state.change { $0.open[socket] = status } }

    /// A stub has ended with this error.
    func add(_ unmet: StubSocket.Unexpected) { state.change { $0.unmet.append(unmet) } }

    /// Waits until no socket expects anything, so that each knows what its client has done; ten seconds at most.
    func settle() async {
        defer { state.read { $0.hasSettled = true } }
        guard state.read({ !$0.isSettled }) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await self.state.wait { $0.isSettled ? () : nil } }
            group.addTask { try? await Task.sleep(for: .seconds(10)) }
            await group.next()
            group.cancelAll()
        }
    }

    /// The problems so far, in sentences.
    var problems: [String] {
        state.read { state in
            let missing = state.hasSettled ? state.expected : []
            return state.unmet + missing.map { StubSocket.Unexpected(expected: $0, found: nil) }
        }
        .map(\.description)
    }
}
