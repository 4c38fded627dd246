package import Foundation

/// An HTTP/1.1 server with one handler for all requests.
///
/// Invalid requests are answered with the status that the RFCs name, and do not reach the handler. ``HTTPLimits``
/// limits what clients may send. Connections are kept open between requests, and requests may be pipelined.
package final class HTTPServer: Sendable {
    /// Called on the thread of the connection, for one of its requests at a time.
    package typealias Handler = @Sendable (ServerRequest) -> ServerResponse

    private let listener: SocketListener

    /// The URL of the server, without a path.
    package let url: URL

    /// Binds to a numeric IPv4 address, with port 0 to any free port, and starts to serve. `name` is the value of the
    /// `Server` field. Throws ``SocketError``.
    package init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        limits: HTTPLimits = HTTPLimits(),
        name: String = "HTTPServer",
        handler: @escaping Handler
    ) throws {
        let date = HTTPDate()
        listener = try SocketListener(host: host, port: port, maximumConnections: limits.connections) { connection in
            HTTPConnection(connection: connection, limits: limits, serverName: name, date: date, handler: handler).run()
        }
        guard let url = URL(string: "http://\(host):\(listener.port)") else {
            listener.stop()
            throw SocketError.invalidAddress(host: host)
        }
        self.url = url
    }

    deinit { listener.stop(waitingAtMost: .zero) }

    package var port: UInt16 { listener.port }

    package var acceptedConnections: Int { listener.acceptedConnections }

    package var openConnections: Int { listener.openConnections }

    /// Stops accepting, closes every connection and waits until no handler runs. Returns whether that was in time.
    @discardableResult
    package func stop(waitingAtMost limit: Duration = .seconds(10)) -> Bool {
        listener.stop(waitingAtMost: limit)
    }
}

/// The limits of an ``HTTPServer`` for its clients.
package struct HTTPLimits: Sendable {
    /// The bytes of the request line; more are answered with 414.
    package var requestLineBytes = 8 * 1024
    /// The bytes of all header lines; more are answered with 431.
    package var headerBytes = 32 * 1024
    /// The number of header lines; more are answered with 431.
    package var headerCount = 100
    /// The bytes of a request body; more are answered with 413.
    package var bodyBytes = 8 * 1024 * 1024
    /// From the first byte of a request to the end of its head; a longer time is answered with 408.
    package var headTime: Duration = .seconds(60)
    /// From the end of the head to the end of the body; a longer time is answered with 408.
    package var bodyTime: Duration = .seconds(120)
    /// The time for a client to read a response, or a piece of a stream. After it, the connection is closed.
    package var responseTime: Duration = .seconds(120)
    /// The time between requests, and before the first one. After it, the connection is closed.
    package var idleTime: Duration = .seconds(120)
    /// The time to discard further bytes after a refused request, so that a reset does not destroy the response (RFC
    /// 9112, section 9.6).
    package var lingerTime: Duration = .milliseconds(500)
    /// The number of open connections; more wait to be accepted.
    package var connections = 512

    package init() {}
}
