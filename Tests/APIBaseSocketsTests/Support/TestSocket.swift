import APIBaseSockets
import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A socket whose settings are values.
final class TestSocket<Incoming: Codable & Sendable, Outgoing: Codable & Sendable>: JSONAPI, SocketRequest {
    var subprotocols: [String] = []
    var reconnect = RetryPolicy.none
    var pings: SocketPings?
    var messageLimit = 1 << 20
    var compressesMessages = false
    var changesRequest: (inout URLRequest, Incoming) throws -> Void = { _, _ in }
    var greeting: (Incoming?, [Outgoing]) throws -> [Outgoing] = { _, _ in [] }
    var doesReconnect: ((SocketClose) -> Bool)?
    var onEvent: (@Sendable (CallEvent) -> Void)?

    init(_ server: SocketServer, _ change: (TestSocket) -> Void = { _ in }) {
        super.init(.get("/feed"))
        baseURL = server.url
        session = CurlSession()
        change(self)
    }

    func resume(_ request: inout URLRequest, after last: Incoming) throws { try changesRequest(&request, last) }

    func resume(after last: Incoming?, unconfirmed: [Outgoing]) throws -> [Outgoing] { try greeting(last, unconfirmed) }

    override func report(_ event: CallEvent) { onEvent?(event) }

    func reconnects(after close: SocketClose) -> Bool {
        if let doesReconnect { return doesReconnect(close) }
        return [.goingAway, .serviceRestart, .internalError].contains(close.code)
    }
}

typealias TextSocket = TestSocket<String, String>

extension APISocket {
    /// All values, and the error after them.
    func readAll() async -> (values: [Incoming], error: (any Error)?) {
        var values: [Incoming] = []
        do {
            for try await value in messages { values.append(value) }
            return (values, nil)
        } catch {
            return (values, error)
        }
    }
}

/// The result of some work, which must come in time.
func within<Value: Sendable>(
    _ time: Duration = .seconds(120),
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: work)
        group.addTask {
            try await Task.sleep(for: time)
            throw TooLate()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw TooLate() }
        return value
    }
}

struct TooLate: Error {}
