import APIBaseCore
import Basics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A call whose request is the handshake of a WebSocket.
final class SocketVariant: CallVariant {
    private let settings: SocketSettings
    private let change: @Sendable (inout URLRequest) throws -> Void
    private let last = Locked<Attempt?>(nil)

    private struct Attempt {
        let handshake: SocketHandshake
        let upgrade: ConnectionUpgrade
        var refusedStatus: Int?
    }

    init(_ settings: SocketSettings, change: @escaping @Sendable (inout URLRequest) throws -> Void) {
        (self.settings, self.change) = (settings, change)
    }

    func request(_ build: () throws -> URLRequest) throws -> URLRequest {
        var request = try build()
        try change(&request)
        guard request.httpMethod ?? "GET" == "GET" else { throw RequestError.invalidRequest(.init(.method, .notGET)) }
        try checkSubprotocols()
        request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
        return request
    }

    /// Each must be a token, and none may be there twice (RFC 6455, section 4.1).
    private func checkSubprotocols() throws {
        let field = TransportError.InvalidRequest.Part.headerValue(name: "Sec-WebSocket-Protocol")
        guard settings.subprotocols.allSatisfy(\.isToken) else {
            throw RequestError.invalidRequest(.init(field, .notAToken))
        }
        guard Set(settings.subprotocols).count == settings.subprotocols.count else {
            throw RequestError.invalidRequest(.init(field, .repeated))
        }
    }

    /// A new handshake for each attempt: its key must not be used again (RFC 6455, section 4.1).
    func upgrade() -> ConnectionUpgrade? {
        let handshake = SocketHandshake(subprotocols: settings.subprotocols, compression: settings.compresses)
        let upgrade = ConnectionUpgrade(
            headers: handshake.headers.reduce(into: [:]) { $0.add(name: $1.name, value: $1.value) },
            messageLimit: settings.messageLimit
        )
        last.withLock { $0 = Attempt(handshake: handshake, upgrade: upgrade) }
        return upgrade
    }

    var lastUpgrade: ConnectionUpgrade? { last.withLock { $0?.upgrade } }

    /// Only the switch. The status of a refusal is kept, to decide about another connection.
    func accepts(_ response: HTTPURLResponse, byDefault isAccepted: Bool) -> Bool {
        let isSwitched = response.statusCode == 101
        if !isSwitched { last.withLock { $0?.refusedStatus = response.statusCode } }
        return isSwitched
    }

    /// The status with which the last attempt was refused; nil if it was not, or had no answer.
    var refusedStatus: Int? { last.withLock { $0?.refusedStatus } }

    /// The channel that the server has switched to.
    ///
    /// - Throws: ``SocketFailure``, if it has switched to something else.
    func channel(after reply: StreamedReply) throws -> any SocketChannel {
        guard let attempt = last.withLock({ $0 }) else { throw RequestError.nonHTTPResponse }
        let (upgrade, offered) = (attempt.upgrade, settings.subprotocols)
        if let channel = upgrade.channel {
            if let chosen = channel.subprotocol, !offered.contains(chosen) {
                throw SocketFailure.handshake(.subprotocol([chosen], offered: offered))
            }
            // Its body has nothing, and ends with the connection, or when all calls are canceled.
            let body = reply.body.sink { [weak channel] completion in
                if case .failure(let error) = completion { channel?.cancel(with: error) }
            } receiveValue: { _ in
            }
            // unchecked: it can be canceled from any thread
            let call = UncheckedSendable(body)
            channel.hold { call.value.cancel() }
            return channel
        }
        do throws(SocketHandshakeError) {
            let agreement = try attempt.handshake.agreement(status: reply.response.statusCode) { name in
                reply.head.headers.values(for: name)
            }
            return WireChannel(reply, upgrade, agreement, limit: settings.messageLimit)
        } catch {
            throw SocketFailure.handshake(error)
        }
    }
}
