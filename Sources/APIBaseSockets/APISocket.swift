public import APIBaseStreams
import Basics
public import HTTPTransport
import PortableCombine

/// A WebSocket of an API: ``SocketRequest/connect()`` makes it.
///
/// It may be used from any task. It closes with ``close(code:reason:)``, when a loop over ``messages`` is left or its
/// task is canceled, and when nobody holds it any more.
public final class APISocket<Incoming: Sendable, Outgoing: Sendable>: Sendable {
    private let lease: SocketLease<Incoming>
    private let encode: @Sendable (Outgoing) throws -> SocketMessage

    init(_ core: SocketCore<Incoming>, encode: @escaping @Sendable (Outgoing) throws -> SocketMessage) {
        lease = SocketLease(core)
        self.encode = encode
    }

    /// The subprotocol that the server has chosen; `nil` without one, and between two connections.
    public var subprotocol: String? { lease.core.subprotocol }

    /// The values that arrive, for one loop:
    ///
    /// ```swift
    /// for try await event in socket.messages { show(event) }
    /// ```
    ///
    /// The loop ends when the socket has been closed as done: by this side, or by the server with code 1000 or without
    /// a code. What has arrived before comes first. It throws ``SocketFailure``, the errors of the transport, and those
    /// of decoding; then the socket is closed. A second loop throws ``/APIBaseKit/RequestError/bodyAlreadyConsumed``.
    public var messages: CallSequence<Incoming> { CallSequence { [lease] in SocketValues(lease) } }

    /// The values that arrive, as a publisher for one subscriber, which gets as many as it demands, on no particular
    /// thread: on the main actor, use `receive(on:)`. It ends and fails like a loop over ``messages``; canceling the
    /// subscription closes the socket.
    public var publisher: AnyPublisher<Incoming, any Error> {
        ColdPublisher { [lease] in SocketSubscription(lease, to: $0) }.eraseToAnyPublisher()
    }

    /// Sends a value, after those that were sent before.
    ///
    /// It returns when there is room for another one in this process, which need not mean that the value has arrived.
    /// While a server does not read, it waits, and so it does while another connection is made. If the task is canceled
    /// while it waits, the value may have been sent.
    ///
    /// - Throws: The error of ``SocketRequest/encode(_:)``, ``SocketFailure/notOpen`` once the socket has been closed,
    ///   the error with which the socket has failed, or `CancellationError`.
    public func send(_ value: Outgoing) async throws { try await lease.core.send(encode(value), of: value) }

    /// Closes the socket, and returns at once. What has been sent before is sent first. A loop over ``messages`` ends
    /// when the server has answered, or has ended the connection. It throws ``SocketFailure/unanswered(_:)`` if there
    /// is no answer within five seconds after all that was sent has left this process, or if nothing of it leaves for
    /// five seconds. A program that must know that all has arrived waits for the end of the loop before it exits.
    ///
    /// - Parameters:
    ///   - code: The reason; one that must not be sent is replaced by ``/HTTPTransport/SocketCloseCode/normal``.
    ///   - reason: A text for developers. At most 123 bytes of it are sent (RFC 6455, section 5.5.1).
    public func close(code: SocketCloseCode = .normal, reason: String = "") {
        lease.core.close(SocketClose(code: code.isSendable ? code : .normal, reason: reason))
    }
}
