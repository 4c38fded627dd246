import APIBaseStreams
import Basics
import Foundation

/// A WebSocket on the bytes of a connection (RFC 6455).
final class WireChannel: SocketChannel {
    private struct Sending {
        var encoder: FrameEncoder
        /// The frame that is being made: kept, so that it is not allocated each time.
        var frame: [UInt8] = []
        var isClosed = false
        /// The pings that have no answer, in their order.
        var pings: [(number: UInt64, answered: @Sendable () -> Void)] = []
        var lastPing: UInt64 = 0
        /// The answer to the last ping, while there is no room.
        var pong: Data?
    }

    let subprotocol: String?
    private let upgrade: ConnectionUpgrade
    private let sending: Locked<Sending>
    // Only used by the task that receives.
    private nonisolated(unsafe) var decoder: FrameDecoder
    private nonisolated(unsafe) var chunks: CallSequence<Data>.AsyncIterator
    /// A violation that comes after messages.
    private nonisolated(unsafe) var violation: SocketViolation?

    init(_ reply: StreamedReply, _ upgrade: ConnectionUpgrade, _ agreement: SocketAgreement, limit: Int) {
        self.upgrade = upgrade
        subprotocol = agreement.subprotocol
        sending = Locked(uncheckedState: Sending(encoder: FrameEncoder(compression: agreement.compression)))
        decoder = FrameDecoder(limits: (limit, limit), compression: agreement.compression)
        chunks = CallSequence(reply.body).makeAsyncIterator()
    }

    /// Sends a frame after those before, unless a close has been sent.
    private func write(isClose: Bool = false, _ append: (inout FrameEncoder, inout [UInt8]) -> Void) {
        sending.withLockUnchecked { sending in
            guard !sending.isClosed else { return }
            sending.isClosed = isClose
            append(&sending.encoder, &sending.frame)
            upgrade.send(sending.frame)
            sending.frame.removeAll(keepingCapacity: sending.frame.count <= 64 << 10)
        }
    }

    func send(_ message: SocketMessage) { write { $0.append(message, to: &$1) } }

    func room() async throws {
        guard !upgrade.hasRoom else { return }
        let hasRoom = Monitor(false)
        upgrade.room { hasRoom.change { $0 = true } }
        try await hasRoom.wait { $0 ? () : nil }
    }

    var unsent: Int { upgrade.unsent }

    func close(_ close: SocketClose) { write(isClose: true) { $0.appendClose(close, to: &$1) } }

    func ping(answered: @escaping @Sendable () -> Void) {
        let number = sending.withLockUnchecked { sending in
            sending.lastPing += 1
            sending.pings.append((sending.lastPing, answered))
            return sending.lastPing
        }
        write { $0.appendControl(.ping, Data("\(number)".utf8), to: &$1) }
    }

    /// Answers a ping when there is room: of those that come until then only the last (RFC 6455, section 5.5.3), so
    /// that a server that sends pings and does not read takes no memory.
    private func answer(_ payload: Data) {
        let waits = sending.withLockUnchecked { sending in
            defer { sending.pong = payload }
            return sending.pong != nil
        }
        guard !waits else { return }
        upgrade.room { [weak self] in
            guard let self, let pong = sending.withLockUnchecked({ $0.pong.take() }) else { return }
            write { $0.appendControl(.pong, pong, to: &$1) }
        }
    }

    /// A pong answers its ping and those before (RFC 6455, section 5.5.3). Others mean nothing.
    private func answered(_ payload: some Collection<UInt8>) {
        guard let number = String(valid: payload).flatMap({ UInt64($0) }) else { return }
        let answered = sending.withLockUnchecked { sending in
            defer { sending.pings.removeAll { $0.number <= number } }
            return sending.pings.prefix { $0.number <= number }
        }
        for ping in answered { ping.answered() }
    }
}

// MARK: Receiving

extension WireChannel {
    func receive() async throws -> SocketArrivals {
        if violation == nil {
            guard let chunk = try await chunks.next() else { throw SocketFailure.lost }
            let known = decoder.partCount
            decoder.append(chunk)
            var arrivals = decode()
            arrivals.hasPart = decoder.partCount > known
            if violation == nil || !arrivals.messages.isEmpty { return arrivals }
        }
        guard let violation else { return SocketArrivals() }
        close(SocketClose(code: violation.closeCode))
        throw SocketFailure.violation(violation)
    }

    /// The messages that have arrived, up to a close or a violation.
    private func decode() -> SocketArrivals {
        var arrivals = SocketArrivals()
        do throws(SocketViolation) {
            while let event = try decoder.next() {
                switch event {
                case .message(let message): arrivals.messages.append(message)
                case .ping(let payload): answer(payload)
                case .pong(let payload): answered(payload)
                case .close(let close):
                    self.close(close)
                    arrivals.close = close
                    return arrivals
                }
            }
        } catch {
            violation = error
        }
        return arrivals
    }

    func drain() async { while (try? await chunks.next()) != nil {} }

    /// The body is the connection.
    func hold(_ cancelCall: @escaping @Sendable () -> Void) {}

    func cancel(with error: any Error) {
        chunks = CallSequence(Empty<Data, any Error>()).makeAsyncIterator()
        upgrade.end()
    }
}
