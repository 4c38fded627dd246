import Dispatch
import Foundation
import LoopbackServer
import RawClient
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct HTTPServerConcurrencyTests {
    @Test func `HTTPServer answers on 200 open connections, each with the response to its own request`() throws {
        let server = try HTTPServer { request in .text(request.path) }
        defer { server.stop() }
        let clients = try (0..<200).map { _ in try RawClient(server) }
        for (number, client) in clients.enumerated() {
            try client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
        }
        for (number, client) in clients.enumerated() {
            #expect(try client.response().text == "/\(number)")
        }
        #expect(server.acceptedConnections == 200)
    }

    @Test func `HTTPServer accepts a connection over its limit only after another connection is closed`() throws {
        var limits = HTTPLimits()
        limits.connections = 2
        let server = try HTTPServer(limits: limits) { request in .text(request.path) }
        defer { server.stop() }
        let first = try (0..<2).map { _ in try RawClient(server) }
        for client in first { #expect(try client.exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n").status == 200) }
        let waiting = try RawClient(server)
        try waiting.send("GET /b HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(throws: SocketError.timedOut) { try waiting.connection.read(before: .now + .milliseconds(100)) }
        #expect(server.acceptedConnections == 2)
        first[0].connection.close()
        #expect(try waiting.response().text == "/b")
    }

    @Test
    func `HTTPServer.stop() returns false if handlers still run at its time limit, and true once all end`() throws {
        let entered = DispatchSemaphore(value: 0)
        let stopping = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            entered.signal()
            _ = stopping.wait(timeout: .now() + 120)
            return .text("late")
        }
        let clients = try (0..<8).map { _ in try RawClient(server) }
        let idle = try RawClient(server)
        for client in clients { try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
        for _ in clients { #expect(entered.wait(timeout: .now() + 60) == .success) }
        #expect(!server.stop(waitingAtMost: .milliseconds(50)))
        for _ in clients { stopping.signal() }
        #expect(server.stop(waitingAtMost: .seconds(60)))
        #expect(server.openConnections == 0)
        #expect((clients + [idle]).allSatisfy { $0.isEnded() })
    }

    @Test func `A client cannot connect to an HTTPServer that has been stopped`() throws {
        var isRefused = false
        // Afterwards the port is free, and another test's server may get it.
        for _ in 0..<10 where !isRefused {
            let server = try HTTPServer { _ in ServerResponse() }
            _ = try RawClient(server)
            server.stop()
            isRefused = (try? RawClient(server)) == nil
        }
        #expect(isRefused)
    }

    @Test func `HTTPServer.stop() can be called by eight threads at once and again on a stopped server`() throws {
        let server = try HTTPServer { _ in ServerResponse() }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in server.stop() }
        #expect(server.stop(waitingAtMost: .seconds(60)))
    }

    @Test func `Starting an HTTPServer on a port that is in use fails with SocketError.addressInUse`() throws {
        let server = try HTTPServer { _ in ServerResponse() }
        defer { server.stop() }
        #expect(throws: SocketError.addressInUse(host: "127.0.0.1", port: server.port)) {
            try HTTPServer(port: server.port) { _ in ServerResponse() }
        }
    }
}
