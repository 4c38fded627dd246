/// A WebSocket after its handshake, message by message: over the bytes of a connection, by `URLSession`, or in a stub.
///
/// One task receives. Any task may do the rest.
package protocol SocketChannel: AnyObject, Sendable {
    /// The subprotocol that the server has chosen; nil without one.
    var subprotocol: String? { get }

    /// Waits for what arrives next: nothing, if it is a part of a message.
    ///
    /// - Throws: The violation of the protocol, or the loss of the connection.
    func receive() async throws -> SocketArrivals

    /// Sends a message after those before. Without a connection any more it does nothing: ``receive()`` tells the end.
    func send(_ message: SocketMessage)

    /// Waits until little of what has been sent waits in this process.
    ///
    /// - Throws: `CancellationError`, if the task is canceled meanwhile.
    func room() async throws

    /// The bytes that wait in this process.
    var unsent: Int { get }

    /// Asks the other end for a sign of life. `answered` is called with the answer, which is read by ``receive()``.
    func ping(answered: @escaping @Sendable () -> Void)

    /// Sends a close, after which nothing is sent. The answer of the other end arrives like a message.
    func close(_ close: SocketClose)

    /// Waits until the other end has ended the connection after a close.
    func drain() async

    /// Keeps what cancels the call of the handshake, to be called when the connection is given up.
    func hold(_ cancelCall: @escaping @Sendable () -> Void)

    /// Gives up the connection: ``receive()`` fails with this error, unless it has ended before.
    func cancel(with error: any Error)
}

/// The messages that arrive together on a ``SocketChannel``.
package struct SocketArrivals: Sendable {
    package var messages: [SocketMessage]
    /// The close of the other end, or its answer to one, after which nothing follows.
    package var close: SocketClose?
    /// Whether there is more of the next message than before.
    package var hasPart = false

    package init(_ messages: [SocketMessage] = [], close: SocketClose? = nil) {
        (self.messages, self.close) = (messages, close)
    }
}
