public import APIBaseCore
import APIBaseStreams
import Basics
import Foundation
public import HTTPTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A leaf whose call is a WebSocket.
///
/// ```swift
/// final class OrdersFeed: ShopAPI, SocketRequest {
///     typealias Incoming = OrderEvent
///     typealias Outgoing = Topic
///     override init() { super.init(.get("/orders/feed")) }
/// }
///
/// let feed = try await OrdersFeed().connect()
/// try await feed.send(Topic(name: "new"))
/// for try await event in feed.messages { show(event) }
/// ```
///
/// The handshake is a call like any other: ``/APIBaseKit/APIBase/buildURLRequest()``,
/// ``/APIBaseKit/APIBase/intercept(_:next:)``, credentials (a 401 renews the token once), accounts, gates, reach, TLS,
/// proxies, redirects, retries and ``/APIBaseKit/APIBase/report(_:)``. Its URL has the scheme of the base URL: `http`
/// stands for `ws`, and `https` for `wss` (RFC 6455, section 3); a base URL may have either. Its method is `GET`, and
/// headers that begin with `Sec-WebSocket-` belong to the transport.
///
/// The call ends when the socket does. ``/APIBaseKit/APIBase/timeout`` and ``/APIBaseKit/APIBase/limits`` bound the
/// handshake, and end with it; then ``pings`` find a server that is gone.
public protocol SocketRequest where Self: JSONAPI {
    /// The value of a message of the server. `String`, `Data` and `SocketMessage` are messages as they are, others are
    /// JSON.
    associatedtype Incoming: Decodable & Sendable

    /// The value of a message to the server. `String`, `Data` and `SocketMessage` are messages as they are, others are
    /// JSON.
    associatedtype Outgoing: Encodable & Sendable

    /// The subprotocols to offer, the preferred one first: by default none. Each is a token, and none is there twice;
    /// otherwise ``connect()`` throws ``/APIBaseKit/RequestError/invalidRequest(_:)``. The server's choice is
    /// ``APISocket/subprotocol``; one that was not offered fails the handshake.
    var subprotocols: [String] { get }

    /// The policy for connections after one that was lost: by default ``/APIBaseKit/RetryPolicy/none``.
    ///
    /// With one, a connection that has ended without a close, without an answer to a ping, or with a code of
    /// ``reconnects(after:)``, is followed by another one, after a wait of the policy's backoff. So is a handshake that
    /// is refused with one of its status codes. The socket fails after the policy's number of attempts in a row without
    /// a message. An expired token is renewed first. Of the policy, attempts, status codes and backoff count; each
    /// handshake is a call with ``/APIBaseKit/APIBase/retry`` besides. After 1,024 messages that are not known to have
    /// arrived, ``APISocket/send(_:)`` waits for the answer to a ping.
    var reconnect: RetryPolicy { get }

    /// The pings that find a server which is gone; `nil` for none. By default ``SocketPings/standard``.
    var pings: SocketPings? { get }

    /// The bytes of a message of the server, after decompression. A larger one fails the socket. 16 MiB.
    var messageLimit: Int { get }

    /// Whether to offer `permessage-deflate` (RFC 7692): by default true, where the system has zlib.
    var compressesMessages: Bool { get }

    /// The value of a message; `nil` for one to skip. By default the message as it is, or JSON, read by
    /// ``/APIBaseKit/JSONAPI/decode(_:from:)``: see ``Incoming``.
    ///
    /// - Throws: Any error, with which the socket fails.
    func decode(_ message: SocketMessage) throws -> Incoming?

    /// The message of a value. By default the value as it is, or a text of JSON, written by
    /// ``/APIBaseKit/JSONAPI/encoder``: see ``Outgoing``.
    ///
    /// - Throws: Any error, which ``APISocket/send(_:)`` throws.
    func encode(_ value: Outgoing) throws -> SocketMessage

    /// Changes the handshake of a connection that follows another one, so that the server continues after the last
    /// value: by a parameter, or a header. By default it does nothing.
    ///
    /// - Throws: Any error, with which the socket fails.
    func resume(_ request: inout URLRequest, after last: Incoming) throws

    /// The values to send first on each connection, such as a subscription. By default none.
    ///
    /// - Parameters:
    ///   - last: The last value that has arrived; `nil` before the first one.
    ///   - unconfirmed: The values that were sent on the connection before, and of which no answer to a later ping has
    ///     shown that they arrived. They may have, so the kit does not send them again. What this method has returned
    ///     before is among them.
    /// - Returns: The values, in the order in which they are sent.
    /// - Throws: Any error, with which the socket fails.
    func resume(after last: Incoming?, unconfirmed: [Outgoing]) throws -> [Outgoing]

    /// Whether another connection follows a close of the server, if ``reconnect`` allows it. By default after codes
    /// that say that the server goes away or cannot serve at present: 1001, and 1011 to 1014.
    func reconnects(after close: SocketClose) -> Bool
}

extension SocketRequest {
    /// None.
    public var subprotocols: [String] { [] }

    /// No connection after the first.
    public var reconnect: RetryPolicy { .none }

    /// A ping every 30 seconds.
    public var pings: SocketPings? { .standard }

    /// 16 MiB.
    public var messageLimit: Int { 16 << 20 }

    /// True.
    public var compressesMessages: Bool { true }

    /// Text, bytes, or JSON, by the type of the value.
    public func decode(_ message: SocketMessage) throws -> Incoming? {
        if Incoming.self == String.self { return try message.readableText as? Incoming }
        if Incoming.self == Data.self { return message.bytes as? Incoming }
        if Incoming.self == SocketMessage.self { return message as? Incoming }
        return try decode(Incoming.self, from: message.bytes)
    }

    /// Text, bytes, or JSON, by the type of the value.
    public func encode(_ value: Outgoing) throws -> SocketMessage {
        switch value {
        case let text as String: .text(text)
        case let data as Data: .data(data)
        case let message as SocketMessage: message
        default: .text(String(decoding: try encoder.encode(value), as: UTF8.self))
        }
    }

    /// Nothing.
    public func resume(_ request: inout URLRequest, after last: Incoming) throws {}

    /// Nothing.
    public func resume(after last: Incoming?, unconfirmed: [Outgoing]) throws -> [Outgoing] { [] }

    /// True for 1001, and 1011 to 1014.
    public func reconnects(after close: SocketClose) -> Bool {
        [.goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway].contains(close.code)
    }

    /// Makes the connection.
    ///
    /// Canceling the task before it has returned cancels the call.
    ///
    /// - Returns: The socket, which closes when it is closed, when a loop over its messages is left, or when nobody
    ///   holds it any more.
    /// - Throws: ``/APIBaseKit/RequestError/httpFailure(_:)`` if the server refuses the handshake,
    ///   ``SocketFailure/handshake(_:)`` if it switches to something else, and the errors of any call.
    public func connect() async throws -> APISocket<Incoming, Outgoing> {
        let leaf = UncheckedSendable(self)
        let hooks = SocketHooks<Incoming>(
            decode: { try leaf.value.decode($0) },
            resume: { try leaf.value.resume(&$0, after: $1) },
            greeting: { last, unconfirmed in
                try leaf.value.resume(after: last, unconfirmed: unconfirmed.compactMap { $0 as? Outgoing })
                    .map { (try leaf.value.encode($0), $0) }
            },
            reconnects: { leaf.value.reconnects(after: $0) }
        )
        let core = SocketCore(SocketConnector(StreamCalls(of: self), settings, hooks))
        try await core.begin()
        return APISocket(core) { try leaf.value.encode($0) }
    }

    private var settings: SocketSettings {
        SocketSettings(
            subprotocols: subprotocols,
            compresses: compressesMessages,
            messageLimit: messageLimit,
            pings: pings,
            reconnect: reconnect
        )
    }
}

extension SocketMessage {
    /// The text, or that of the bytes.
    ///
    /// - Throws: `DecodingError` for bytes that are not UTF-8.
    fileprivate var readableText: String {
        get throws {
            switch self {
            case .text(let text): return text
            case .data(let data):
                guard let text = String(valid: data) else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: [], debugDescription: "The message is not UTF-8.")
                    )
                }
                return text
            }
        }
    }
}
