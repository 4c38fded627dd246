import APIBaseSockets
import Basics
import Foundation
import HostileServer
import HTTPTransport
import LoopbackServer
import TestTiers
import Testing

/// The handshake of a socket is a call like any other.
@Suite(.tags(.concurrent), .limited) struct SocketHandshakeCallTests {
    /// Renews to `t1`, `t2`, and so on.
    private func tokens(_ count: Locked<Int>) -> TokenSource {
        TokenSource(Token("t0")) { _ in
            count.withLock { count in
                count += 1
                return Token("t\(count)")
            }
        }
    }

    @Test func `A 401 renews the token once, and the handshake is made again with another key`() async throws {
        let server = try SocketServer { peer in
            guard peer.request["Authorization"] == "Bearer t1" else {
                return try peer.connection.write(reply("401 Who", body: "who"))
            }
            try peer.accept([], ServerFrames.text("hello"))
            _ = try peer.finish()
        }
        defer { server.stop() }
        let count = Locked(0)
        let socket = try await TextSocket(server) { $0.authorization = .tokens(tokens(count)) }.connect()
        for try await text in socket.messages {
            #expect(text == "hello")
            break
        }
        #expect(count.withLock { $0 } == 1)
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer t0", "Bearer t1"])
        #expect(Set(server.requests.map { $0["Sec-WebSocket-Key"] }).count == 2)
    }

    @Test func `A second 401 is an httpFailure with its body`() async throws {
        let server = try SocketServer { try $0.connection.write(reply("401 Who", body: "who")) }
        defer { server.stop() }
        let count = Locked(0)
        let api = TextSocket(server) { $0.authorization = .tokens(tokens(count)) }
        do {
            _ = try await api.connect()
            Issue.record("It has connected.")
        } catch RequestError.httpFailure(let failure) {
            #expect(failure.statusCode == 401)
            #expect(failure.body == Data("who".utf8))
        }
        #expect(count.withLock { $0 } == 1)
        #expect(server.connections == 2)
    }

    @Test func `A token that expires while the socket is connected is renewed for the next connection`() async throws {
        let server = try SocketServer { peer in
            switch peer.request["Authorization"] {
            case "Bearer t0" where peer.number == 0:
                try peer.accept([], ServerFrames.text("old") + ServerFrames.close(4401))
                _ = try peer.next()
            case "Bearer t1":
                try peer.accept([], ServerFrames.text("new"))
                _ = try peer.finish()
            default: try peer.connection.write(reply("401 Expired"))
            }
        }
        defer { server.stop() }
        let count = Locked(0)
        let socket = try await TextSocket(server) {
            $0.authorization = .tokens(tokens(count))
            $0.reconnect = RetryPolicy(attempts: 3, backoff: .none)
            $0.doesReconnect = { $0.code.rawValue == 4401 }
        }.connect()
        var values: [String] = []
        for try await value in socket.messages {
            values.append(value)
            if values.count == 2 { break }
        }
        #expect(values == ["old", "new"])
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer t0", "Bearer t0", "Bearer t1"])
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `A handshake that is not a GET is refused before it is sent`() async throws {
        let server = try SocketServer { try $0.accept() }
        defer { server.stop() }
        let api = TextSocket(server) { $0.method = .post }
        await #expect(throws: RequestError.self) { _ = try await api.connect() }
        #expect(server.connections == 0)
    }

    @Test func `The retry policy of the request holds for its handshake`() async throws {
        let server = try SocketServer { peer in
            guard peer.number == 2 else { return try peer.connection.write(reply("503 Later")) }
            try peer.accept([], ServerFrames.close(1000))
            _ = try peer.next()
        }
        defer { server.stop() }
        let api = TextSocket(server) { $0.retry = RetryPolicy(attempts: 3, backoff: .none) }
        let (_, error) = try await api.connect().readAll()
        #expect(error == nil)
        #expect(server.connections == 3)
    }

    @Test func `A redirect leads to the socket`() async throws {
        let server = try SocketServer { peer in
            guard peer.request.target == "/there" else {
                return try peer.connection.write(reply("307 Go", ["Location: /there"]))
            }
            try peer.accept([], ServerFrames.text("here"))
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        for try await text in socket.messages {
            #expect(text == "here")
            break
        }
    }

    /// A session that hands each hop to another one, as a program's own may.
    private final class Forwarding: HTTPSession {
        let other = CurlSession()
        func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
            other.exchange(request)
        }
    }

    @Test(arguments: [false, true])
    func `The limits of time end with the handshake, also over a session that forwards`(forwards: Bool) async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            try peer.echo()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server) {
            if forwards { $0.session = Forwarding() }
            $0.limits.idle = .milliseconds(500)
            $0.timeout = .milliseconds(800)
            // On a busy machine, a handshake may take longer.
            $0.retry = RetryPolicy(attempts: 50, backoff: .none)
        }.connect()
        // Silence over the limits is what is tested.
        try await Task.sleep(for: .seconds(1.2))
        try await socket.send("still here")
        for try await text in socket.messages {
            #expect(text == "still here")
            break
        }
    }

    // MARK: What is refused before it is sent

    @Test(
        arguments: [
            (["a\r\nX-Injected: y"], .notAToken), (["chat v9"], .notAToken), ([""], .notAToken), (["é"], .notAToken),
            (["v1,v2"], .notAToken), (["v1", "v2\0"], .notAToken), (["a", "b", "a"], .repeated),
        ] as [([String], TransportError.InvalidRequest.Problem)]
    )
    func `Subprotocols are tokens, and none is there twice`(
        subprotocols: [String],
        problem: TransportError.InvalidRequest.Problem
    ) async throws {
        let server = try SocketServer { try $0.accept() }
        defer { server.stop() }
        let socket = TextSocket(server) { $0.subprotocols = subprotocols }
        let error = await #expect(throws: RequestError.self) { _ = try await socket.connect() }
        #expect(error == .invalidRequest(.init(.headerValue(name: "Sec-WebSocket-Protocol"), problem)))
        #expect(server.connections == 0)
    }

    @Test(
        arguments: [
            "Sec-WebSocket-Protocol", "sec-websocket-key", "Sec-WebSocket-Extensions", "Sec-WebSocket-Version",
        ]
    )
    func `The fields of the handshake belong to the transport`(name: String) async throws {
        let server = try SocketServer { try $0.accept() }
        defer { server.stop() }
        let socket = TextSocket(server) { $0.headers[name] = "v1" }
        let error = await #expect(throws: RequestError.self) { _ = try await socket.connect() }
        guard case .invalidRequest(let invalid)? = error, case .headerName(let found) = invalid.part else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found.lowercased() == name.lowercased() && invalid.problem == .reserved)
        #expect(server.connections == 0)
    }

    @Test func `A method other than GET is refused`() async throws {
        let server = try SocketServer { try $0.accept() }
        defer { server.stop() }
        let socket = TextSocket(server) { $0.method = .post }
        let error = await #expect(throws: RequestError.self) { _ = try await socket.connect() }
        #expect(error == .invalidRequest(.init(.method, .notGET)))
        #expect(server.connections == 0)
    }

    // MARK: Answers, and none

    @Test func `A 200 is a refusal, with its body`() async throws {
        let server = try SocketServer { try $0.connection.write(reply(body: "{}")) }
        defer { server.stop() }
        let events = Locked<[CallEvent]>([])
        let socket = TextSocket(server) { $0.onEvent = { event in events.withLock { $0.append(event) } } }
        let error = await #expect(throws: RequestError.self) { _ = try await socket.connect() }
        guard case .httpFailure(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.statusCode == 200 && failure.body == Data("{}".utf8))
        let isCanceled = events.withLock { $0 }.contains { event in
            if case .failed(let error, _) = event { error is CancellationError } else { false }
        }
        #expect(!isCanceled)
    }

    @Test func `The timeout of the call bounds the handshake`() async throws {
        let server = try SocketServer { $0.connection.waitForTheEnd() }
        defer { server.stop() }
        let limit = Duration.milliseconds(700)
        let error = await #expect(throws: TransportError.self) {
            _ = try await TextSocket(server) { $0.timeout = limit }.connect()
        }
        #expect(error?.reason == .timedOut(which: .total, after: limit))
    }

    @Test func `A base URL with the scheme of sockets is that of the handshake`() async throws {
        let server = try SocketServer { peer in
            try peer.accept([], ServerFrames.text("hello"))
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = TextSocket(server) { $0.baseURL = URL(string: "WS://127.0.0.1:\(server.port)/v1") }
        for try await text in try await socket.connect().messages {
            #expect(text == "hello")
            break
        }
        #expect(server.requests.map(\.target) == ["/v1/feed"])
    }
}
