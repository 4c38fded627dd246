#if os(Linux)
import Basics
import Foundation
import HostileServer
import HTTPTransport
import LoopbackServer

/// A proxy that opens tunnels to the ports of this machine, and can stop, as a network goes.
final class TunnelProxy: Sendable {
    /// What becomes of the tunnels when the proxy stops.
    enum Stop: CaseIterable, Sendable {
        /// They are closed, and the next three connections too.
        case closes
        /// They stay open, and nothing comes through.
        case fallsSilent
    }

    private final class Tunnel: Sendable {
        let (client, server): (SocketConnection, SocketConnection)
        let isOpen = Locked(true)

        init(_ client: SocketConnection, _ server: SocketConnection) { (self.client, self.server) = (client, server) }

        func relay(from one: SocketConnection, to other: SocketConnection) {
            while let bytes = try? one.read(before: .now + .seconds(600)), !bytes.isEmpty {
                if isOpen.withLock({ $0 }) { try? other.write(bytes) }
            }
            other.close()
        }
    }

    private struct State {
        var tunnels: [Tunnel] = []
        var refusals = 0
    }

    private let server: ScriptedServer
    private let state: Locked<State>

    init() throws {
        let state = Locked(State())
        self.state = state
        server = try ScriptedServer { request, client, _ in
            let isRefused = state.withLock { state in
                defer { state.refusals = max(0, state.refusals - 1) }
                return state.refusals > 0
            }
            guard request.method == "CONNECT", !isRefused,
                let port = request.target.split(separator: ":").last.flatMap({ UInt16($0) })
            else { return client.close() }
            let tunnel = try Tunnel(client, SocketConnection(connectingTo: port))
            state.withLock { $0.tunnels.append(tunnel) }
            try client.write("HTTP/1.1 200 Tunnel\r\n\r\n")
            Thread.detachNewThread { tunnel.relay(from: tunnel.server, to: client) }
            tunnel.relay(from: client, to: tunnel.server)
        }
    }

    /// A session that has this proxy.
    var session: CurlSession {
        var configuration = CurlSession.Configuration()
        configuration.proxy = .url("http://127.0.0.1:\(server.port)")
        return CurlSession(configuration: configuration)
    }

    /// The number of connections that were asked for a tunnel.
    var requests: Int { server.requests.count }

    /// Stops all tunnels that there are.
    func stop(_ stop: Stop) {
        let tunnels = state.withLock { state in
            defer { (state.tunnels, state.refusals) = ([], stop == .closes ? 3 : 0) }
            return state.tunnels
        }
        for tunnel in tunnels {
            tunnel.isOpen.withLock { $0 = false }
            if stop == .closes { tunnel.client.close() }
        }
    }

    /// Ends all connections.
    func end() { server.stop() }
}
#endif
