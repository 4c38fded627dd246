import LoopbackServer
import Foundation
import Basics

/// Plays behaviors, each at its own path, and answers `/good` correctly, on persistent connections.
package final class MisbehavingServer: Sendable {
    private final class Run: Sendable {
        let behavior: Behavior
        let requests = Locked(0)
        let isServed = Later<Void>()
        let outcome = DispatchSemaphore(value: 0)

        init(_ behavior: Behavior) { self.behavior = behavior }
    }

    private struct State {
        var last = 0
        var runs: [String: Run] = [:]
    }

    private let state: Locked<State>
    private let listener: SocketListener

    package init() throws {
        let state = Locked(State())
        self.state = state
        let port = Locked<UInt16>(0)
        listener = try SocketListener { connection in
            Self.serve(connection, state, port: { port.withLock { $0 } })
        }
        let known = listener.port
        port.withLock { $0 = known }
    }

    package var port: UInt16 { listener.port }
    package var openConnections: Int { listener.openConnections }

    package func stop() { listener.stop() }

    /// Adds a path for one run of a behavior.
    func open(_ behavior: Behavior) -> String {
        state.withLock { state in
            state.last += 1
            let path = "/\(behavior.name)/\(state.last)"
            state.runs[path] = Run(behavior)
            return path
        }
    }

    /// Tells the script that the client has an outcome.
    func tellOutcome(_ path: String) {
        state.withLock { $0.runs[path] }?.outcome.signal()
    }

    /// Removes the run.
    func close(_ path: String) {
        let run = state.withLock { $0.runs.removeValue(forKey: path) }
        run?.outcome.signal()
    }

    /// Waits until a script has finished.
    func waitUntilServed(_ path: String) async throws {
        try await state.withLock { $0.runs[path] }?.isServed.value()
    }

    private static func serve(_ connection: SocketConnection, _ state: Locked<State>, port: () -> UInt16) {
        while let first = try? connection.read(before: .now + .seconds(600)), !first.isEmpty {
            // A TLS hello (RFC 8446, section 5.1). The answer is plain text, because the server has no TLS.
            guard first[0] != 0x16 else {
                try? connection.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                return connection.waitForTheEnd()
            }
            connection.unread(first)
            guard let request = try? connection.readHead() else { return }
            let path = String(request.target.prefix { $0 != "?" })
            guard let run = state.withLock({ $0.runs[path] }) else {
                guard (try? connection.write(reply(body: "good"))) != nil else { return }
                continue
            }
            let number = run.requests.withLock { number in
                defer { number += 1 }
                return number
            }
            let scene = Scene(
                request: request,
                connection: connection,
                number: number,
                path: path,
                port: port(),
                outcome: run.outcome
            )
            let ending = play(run.behavior, scene)
            run.isServed.set()
            switch ending {
            case .keep: continue
            case .close: return
            case .reset: return connection.reset()
            }
        }
    }

    private static func play(_ behavior: Behavior, _ scene: Scene) -> Ending {
        if behavior.question.isRead, (try? scene.readBody()) == nil { return .close }
        return (try? behavior.script(scene)) ?? .close
    }
}
