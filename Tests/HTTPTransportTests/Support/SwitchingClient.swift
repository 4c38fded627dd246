#if os(Linux)
import Basics
import Foundation
import HTTPTransport
import HostileServer
import PortableCombine

/// An exchange that asks for a switch of its connection, and what comes of it.
final class SwitchingClient: Sendable {
    private struct State {
        var data = Data()
        var hasHead = false
        var hasEnded = false
    }

    /// The exchange has ended before what a test waits for.
    struct EndedEarly: Error {
        let error: TransportError?
        let text: String
    }

    let upgrade = ConnectionUpgrade(headers: ["Connection": "Upgrade", "Upgrade": "x"])
    private let log: EventLog
    private let state: Monitor<State>

    /// Starts the exchange. With a demand, no more chunks of the body come than it says, until ``request(_:)``.
    init(
        to url: URL,
        on session: CurlSession,
        limits: ExchangeRequest.Limits = .default,
        demand: Subscribers.Demand = .unlimited
    ) {
        let state = Monitor(State())
        self.state = state
        log = EventLog(demand: demand) { event in
            switch event {
            case .sent: return .max(1)
            case .head:
                state.change { $0.hasHead = true }
                return .max(1)
            case .body(let chunk):
                state.change { $0.data.append(chunk) }
                return .none
            }
        } ended: {
            state.change { $0.hasEnded = true }
        }
        var request = ExchangeRequest(to: url, limits: limits)
        request.upgrade = upgrade
        session.events(for: request).subscribe(log)
    }

    /// What has arrived after the switch.
    var data: Data { state.read { $0.data } }

    var text: String { String(decoding: data, as: UTF8.self) }

    /// The head of the response, once it is there.
    func head() async throws -> ResponseHead? {
        try await state.wait { $0.hasHead || $0.hasEnded ? () : nil }
        return log.head
    }

    /// The status of the response.
    func status() async throws -> Int? { try await head()?.statusCode }

    /// Waits until this number of bytes has arrived.
    func wait(for count: Int) async throws {
        try await state.wait { $0.data.count >= count || $0.hasEnded ? () : nil }
        guard data.count < count else { return }
        throw EndedEarly(error: try await log.end.value(), text: text)
    }

    /// The error at the end; nil for the proper end.
    func end() async throws -> TransportError? { try await log.end.value() }

    /// Whether there was a head so far.
    var isAnswered: Bool { state.read { $0.hasHead } }

    var hasEnded: Bool { log.end.isSet }

    func send(_ text: String) { upgrade.send(Array(text.utf8)) }

    /// Waits for room.
    func room() async throws {
        let room = Later<Void>()
        upgrade.room { room.set() }
        try await room.value()
    }

    func request(_ demand: Subscribers.Demand) { log.request(demand) }

    func cancel() { log.cancel() }
}

/// The head of a switch.
let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"
#endif
