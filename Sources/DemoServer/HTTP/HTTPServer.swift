package import Foundation

/// An HTTP/1.1 server that asks one closure for every answer.
///
/// Hostile input is answered with the status the RFCs name and never reaches the closure; see ``HTTPLimits`` for what
/// is too much. Connections are kept open between requests and requests may be pipelined.
package final class HTTPServer: Sendable {
    /// Called on the thread of the connection, for one request of it at a time.
    package typealias Handler = @Sendable (ServerRequest) -> ServerResponse

    private let listener: SocketListener

    /// The URL at which the server listens, without a path.
    package let url: URL

    /// Binds and starts to serve.
    ///
    /// - Parameters:
    ///   - host: A numeric IPv4 address.
    ///   - port: 0 for any free port.
    ///   - limits: What clients may ask.
    ///   - handler: Gives the answers.
    /// - Throws: ``SocketError/addressInUse(host:port:)`` where the port is taken, or another ``SocketError``.
    package init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        limits: HTTPLimits = HTTPLimits(),
        handler: @escaping Handler
    ) throws {
        let date = HTTPDate()
        listener = try SocketListener(host: host, port: port, maximumConnections: limits.connections) { connection in
            HTTPExchange(connection: connection, limits: limits, date: date, handler: handler).run()
        }
        guard let url = URL(string: "http://\(host):\(listener.port)") else {
            listener.stop()
            throw SocketError.invalidAddress(host: host)
        }
        self.url = url
    }

    deinit { listener.stop(waitingAtMost: .zero) }

    package var port: UInt16 { listener.port }

    /// The number of connections accepted since the start.
    package var acceptedConnections: Int { listener.acceptedConnections }

    /// The number of open connections.
    package var openConnections: Int { listener.openConnections }

    /// Stops accepting, closes every connection and waits until no handler runs.
    ///
    /// - Parameter limit: The longest wait.
    /// - Returns: Whether every thread had ended by then.
    @discardableResult
    package func stop(waitingAtMost limit: Duration = .seconds(10)) -> Bool {
        listener.stop(waitingAtMost: limit)
    }
}
