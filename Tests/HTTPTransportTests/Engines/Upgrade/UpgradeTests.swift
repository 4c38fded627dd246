import Basics
import Foundation
import FoundationNetworking
import LoopbackServer
import PortableCombine
import Testing

@testable import HTTPTransport

/// What an exchange with an upgrade has told.
final class UpgradeLog: ExchangeReader {
    struct State { var head: Int?; var body = Data(); var end: Subscribers.Completion<TransportError>? }
    let state = Locked(State())
    func receive(_ event: ExchangeRequest.Event) -> Subscribers.Demand {
        state.withLock { state in
            switch event {
            case .sent: break
            case .head(let head): state.head = head.statusCode
            case .body(let data): state.body.append(data)
            }
        }
        return .none
    }
    func receive(completion: Subscribers.Completion<TransportError>) { state.withLock { $0.end = completion } }
    func wait(_ what: String, _ isDone: (State) -> Bool) throws {
        let end = ContinuousClock.now + .seconds(5)
        while !state.withLock({ isDone($0) }) {
            if ContinuousClock.now > end { throw Missing(what: what, state: state.withLock { "\($0)" }) }
            usleep(2000)
        }
    }
    struct Missing: Error { let what: String; let state: String }
}

@Suite struct UpgradeTests {
    static let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"

    func run(
        _ server: @escaping @Sendable (SocketConnection) throws -> Void,
        limits: ExchangeRequest.Limits = .default,
        session: CurlSession = CurlSession(configuration: .init()),
        _ test: (UpgradeLog, ConnectionUpgrade, Exchange, Locked<String>) throws -> Void
    ) throws {
        let heads = Locked("")
        let listener = try SocketListener { connection in
            guard let head = try? connection.read(until: Array("\r\n\r\n".utf8)) else { return }
            heads.withLock { $0 += String(decoding: head, as: UTF8.self) }
            do { try server(connection) } catch { print("server", error) }
        }
        defer { listener.stop() }
        var request = ExchangeRequest(URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(listener.port)/feed"))), limits: limits)
        let upgrade = ConnectionUpgrade(headers: ["Connection": "Upgrade", "Upgrade": "x"])
        request.upgrade = upgrade
        let log = UpgradeLog()
        let exchange = Exchange(request, on: session, for: .stream(log))
        exchange.request(.unlimited)
        try test(log, upgrade, exchange, heads)
        exchange.cancel()
    }

    @Test func `Echo`() throws {
        try run { connection in
            try connection.write(Self.switching + "early")
            while true {
                let bytes = try connection.read()
                if bytes.isEmpty { break }
                try connection.write(Array("<".utf8) + bytes + Array(">".utf8))
            }
        } _: { log, upgrade, exchange, heads in
            try log.wait("head") { $0.head == 101 }
            try log.wait("early") { $0.body == Data("early".utf8) }
            upgrade.send(Data("one".utf8))
            try log.wait("one") { $0.body == Data("early<one>".utf8) }
            usleep(300_000)
            upgrade.send(Data("two".utf8))
            try log.wait("two") { $0.body == Data("early<one><two>".utf8) }
            print(heads.withLock { $0 })
        }
    }

    @Test func `Server closes while nothing is sent`() throws {
        try run { connection in
            try connection.write(Self.switching + "bye")
        } _: { log, upgrade, exchange, heads in
            try log.wait("end") { $0.end != nil && $0.body == Data("bye".utf8) }
            print(log.state.withLock { "\($0)" })
        }
    }

    @Test func `Server resets`() throws {
        try run { connection in
            try connection.write(Self.switching + "bye")
            usleep(100_000)
            connection.reset()
        } _: { log, upgrade, exchange, heads in
            try log.wait("end") { $0.end != nil }
            print(log.state.withLock { "\($0)" })
        }
    }

    @Test func `Server closes after something was sent`() throws {
        try run { connection in
            try connection.write(Self.switching)
            _ = try connection.read()
            try connection.write("bye")
        } _: { log, upgrade, exchange, heads in
            try log.wait("head") { $0.head == 101 }
            upgrade.send(Data("one".utf8))
            try log.wait("end") { $0.end != nil && $0.body == Data("bye".utf8) }
            print(log.state.withLock { "\($0)" })
        }
    }

    @Test(arguments: ["HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n", "HTTP/1.1 426 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n", "HTTP/1.1 204 No\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno"])
    func refused(_ text: String) throws {
        try run { connection in
            try connection.write(text)
            _ = try connection.read(before: .now + .seconds(4))
        } _: { log, upgrade, exchange, heads in
            try log.wait("end") { $0.end != nil }
            print(log.state.withLock { "\($0)" })
        }
    }

    @Test func `Idle after the switch`() throws {
        var limits = ExchangeRequest.Limits()
        (limits.idle, limits.total, limits.responseBytes) = (.milliseconds(200), .milliseconds(500), 3)
        try run({ connection in
            try connection.write(Self.switching)
            _ = try connection.read()
            try connection.write("123456")
            _ = try connection.read()
        }, limits: limits) { log, upgrade, exchange, heads in
            try log.wait("head") { $0.head == 101 }
            usleep(900_000)
            upgrade.send(Data("one".utf8))
            try log.wait("body") { $0.body.count == 6 }
            #expect(log.state.withLock { $0.end } == nil)
        }
    }

    @Test func `Much both ways`() throws {
        try run { connection in
            try connection.write(Self.switching)
            while true {
                let bytes = try connection.read()
                if bytes.isEmpty { break }
                try connection.write(bytes)
            }
        } _: { log, upgrade, exchange, heads in
            try log.wait("head") { $0.head == 101 }
            for _ in 0..<200 {
                upgrade.send(Data(count: 100_000))
                let done = DispatchSemaphore(value: 0)
                upgrade.room { done.signal() }
                if done.wait(timeout: .now() + 5) != .success { Issue.record("no room"); break }
            }
            try log.wait("all") { $0.body.count == 20_000_000 }
        }
    }
}
