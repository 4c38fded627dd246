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
        var waiting: (count: Int, reached: Later<Void>)?
    }

    let upgrade = ConnectionUpgrade(headers: ["Connection": "Upgrade", "Upgrade": "x"])
    private let hasHead = Later<Void>()
    private let log: EventLog
    private let state: Locked<State>

    /// Starts the exchange. With a demand, no more chunks of the body come than it says, until ``request(_:)``.
    init(
        to url: URL,
        on session: CurlSession,
        limits: ExchangeRequest.Limits = .default,
        demand: Subscribers.Demand = .unlimited
    ) {
        let (hasHead, state) = (hasHead, Locked(State()))
        self.state = state
        log = EventLog(demand: demand) { event in
            switch event {
            case .sent: return .max(1)
            case .head:
                hasHead.set()
                return .max(1)
            case .body(let chunk):
                let reached = state.withLock { state in
                    state.data.append(chunk)
                    return state.waiting.flatMap { $0.count <= state.data.count ? $0.reached : nil }
                }
                reached?.set()
                return .none
            }
        }
        var request = ExchangeRequest(to: url, limits: limits)
        request.upgrade = upgrade
        session.events(for: request).subscribe(log)
    }

    /// What has arrived after the switch.
    var data: Data { state.withLock { $0.data } }

    var text: String { String(decoding: data, as: UTF8.self) }

    /// The head of the response, once it is there.
    func head() async throws -> ResponseHead? {
        try await hasHead.value(within: 20)
        return log.head
    }

    /// The status of the response.
    func status() async throws -> Int? { try await head()?.statusCode }

    /// Waits until so many bytes have arrived.
    func wait(for count: Int) async throws {
        let reached = Later<Void>()
        let isReached = state.withLock { state in
            state.waiting = (count, reached)
            return state.data.count >= count
        }
        if isReached { reached.set() }
        try await reached.value(within: 20)
    }

    /// The error at the end; nil for the proper end.
    func end() async throws -> TransportError? { try await log.end.value(within: 20) }

    /// Whether there was a head so far.
    var isAnswered: Bool { hasHead.isSet }

    var hasEnded: Bool { log.end.isSet }

    func send(_ text: String) { upgrade.send(Array(text.utf8)) }

    /// Waits for room.
    func room() async throws {
        let room = Later<Void>()
        upgrade.room { room.set() }
        try await room.value(within: 20)
    }

    func request(_ demand: Subscribers.Demand) { log.request(demand) }

    func cancel() { log.cancel() }
}

/// The head of a switch.
let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"
#endif
