import Basics
public import Foundation
public import HTTPTransport

/// The server's side of a WebSocket in a test: see ``Stub/socket(subprotocol:_:)``.
public final class StubSocket: Sendable {
    private let channel: StubChannel
    private let encoder: JSONEncoder
    private let expectations: SocketExpectations?

    init(_ channel: StubChannel, encoder: JSONEncoder, _ expectations: SocketExpectations?) {
        (self.channel, self.encoder, self.expectations) = (channel, encoder, expectations)
        note(.running)
    }

    deinit { note(nil) }

    private func note(_ status: SocketExpectations.Status?) { expectations?.set(status, of: ObjectIdentifier(self)) }

    /// The client has closed the socket, or has given up the connection.
    public struct Ended: Error {
        /// The close of the client; `nil` without one.
        public let close: SocketClose?
    }

    /// The client has sent another message than the stub expects, with which its socket fails, or has left before.
    public struct Unexpected: LocalizedError, CustomStringConvertible {
        /// The message that was expected.
        public let expected: SocketMessage
        /// That of the client; `nil` if it has ended before.
        public let found: SocketMessage?

        /// Both messages.
        public var description: String {
            "The socket expects \(expected.words), and the client has sent \(found?.words ?? "nothing")."
        }

        /// Both messages.
        public var errorDescription: String? { description }
    }
}

extension StubSocket {
    /// Waits for the next message of the client.
    ///
    /// - Returns: The message.
    /// - Throws: ``Ended`` once the client has closed the socket.
    @discardableResult
    public func receive() async throws -> SocketMessage { try await sent(.receiving) }

    private func sent(_ status: SocketExpectations.Status) async throws -> SocketMessage {
        note(status)
        defer { note(.running) }
        return try await channel.sent()
    }

    /// Waits for the next message of the client, which must be this one. Texts of JSON are compared as JSON.
    ///
    /// If the function of the stub ends with the error, or still waits here when the scope ends, that is a problem of
    /// the scope: ``StubProblem/socket(stub:finding:)``.
    ///
    /// - Throws: ``Unexpected`` for another message, with which the socket of the client fails as well, and if the
    ///   client closes the socket instead.
    public func expect(_ message: SocketMessage) async throws {
        let found = try? await sent(.expecting(message))
        guard let found, found.equals(message) else { throw Unexpected(expected: message, found: found) }
    }

    /// Waits for the next message of the client, which must be this text, or the same JSON.
    ///
    /// - Throws: As for ``expect(_:)-(SocketMessage)``.
    public func expect(_ text: String) async throws { try await expect(.text(text)) }

    /// Waits for the next message of the client, which must be the JSON of this value.
    ///
    /// - Throws: As for ``expect(_:)-(SocketMessage)``, and the errors of the encoder.
    public func expect(json value: some Encodable) async throws { try await expect(text(of: value)) }

    /// Sends a message to the client.
    public func send(_ message: SocketMessage) { channel.deliver(message) }

    /// Sends a text to the client.
    public func send(_ text: String) { send(.text(text)) }

    /// Sends the JSON of a value to the client, written by the encoder of its API.
    ///
    /// - Throws: The errors of the encoder.
    public func send(json value: some Encodable) throws { send(.text(try text(of: value))) }

    private func text(of value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Closes the socket.
    public func close(code: SocketCloseCode = .normal, reason: String = "") {
        channel.end(nil, with: SocketClose(code: code, reason: reason))
    }

    /// Ends the connection without a close, as when a network is lost.
    public func cut() { channel.end(EngineFailure(reason: .connectionLost)) }

    /// Answers no pings any more. A close is still answered.
    public func fallSilent() { channel.fallSilent() }

    /// Waits until the client has closed the socket. What it sends before is dropped.
    public func waitForEnd() async { while (try? await receive()) != nil {} }

    /// The function of the stub has ended: normally, since the client has closed, or with an error for the client.
    func ended(_ error: (any Error)?) {
        if let unmet = error as? Unexpected { expectations?.add(unmet) }
        note(nil)
        switch error {
        case nil, is Ended, is CancellationError: close()
        case let error?: channel.end(EngineFailure(reason: .engine, underlying: InjectedFailure(error)))
        }
    }
}

extension SocketMessage {
    /// The message in the text of a problem.
    fileprivate var words: String {
        switch self {
        case .text(let text): "“\(text)”"
        case .data(let data): "the bytes \(data.base64EncodedString()) (Base64)"
        }
    }

    /// Whether the messages are equal, or have the same JSON.
    fileprivate func equals(_ other: SocketMessage) -> Bool {
        if self == other { return true }
        guard let (mine, theirs) = text.flatMap({ mine in other.text.map { (mine, $0) } }) else { return false }
        let tree = JSONTree(Data(mine.utf8))
        return tree != nil && tree == JSONTree(Data(theirs.utf8))
    }
}
