/// A connection of whole messages, after its handshake: that of `URLSession`, or that of a stub.
///
/// One call of ``receive(then:)`` at a time, and as many of the others.
package protocol SocketChannel: AnyObject, Sendable {
    /// The subprotocol of the server; nil without one.
    var subprotocol: String? { get }

    /// Waits for the next message, or for the end of the connection.
    func receive(then: @escaping @Sendable (Result<SocketArrival, any Error>) -> Void)

    /// Sends a message. `then` is called when there is room for the next one, or with the error.
    func send(_ message: SocketMessage, then: @escaping @Sendable ((any Error)?) -> Void)

    /// Asks the other end for a sign of life. `then` is called with its answer, or with the error.
    func ping(then: @escaping @Sendable ((any Error)?) -> Void)

    /// Closes the connection.
    func close(_ close: SocketClose)
}

/// What arrives on a ``SocketChannel``.
package enum SocketArrival: Sendable {
    case message(SocketMessage)
    /// The other end has closed.
    case close(SocketClose)
}
