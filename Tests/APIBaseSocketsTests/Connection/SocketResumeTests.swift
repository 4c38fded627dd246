import APIBaseSockets
import Basics
import Foundation
import HostileServer
import HTTPTransport
import LoopbackServer
import TestTiers
import Testing

/// What a socket says and asks for on a connection that follows another.
@Suite(.tags(.concurrent), .limited) struct SocketResumeTests {
    private func socket(
        _ server: SocketServer,
        _ change: (TextSocket) -> Void
    ) async throws -> APISocket<String, String> {
        let api = TextSocket(server) {
            $0.reconnect = RetryPolicy(attempts: 9, backoff: .none)
            change($0)
        }
        return try await api.connect()
    }

    @Test func `The next handshake asks for what comes after the last value`() async throws {
        let server = try SocketServer { peer in
            let start = Int(peer.request["Last"] ?? "") ?? 0
            try peer.accept()
            for number in (start + 1)...(start + 3) { try peer.send("\(number)") }
        }
        defer { server.stop() }
        let socket = try await socket(server) {
            $0.changesRequest = { $0.setValue($1, forHTTPHeaderField: "Last") }
        }
        var values: [String] = []
        for try await value in socket.messages {
            values.append(value)
            if values.count == 30 { break }
        }
        #expect(values == (1...30).map { "\($0)" })
        #expect(server.requests.map { $0["Last"] }.prefix(3) == [nil, "3", "6"])
    }

    @Test func `The greeting is sent first on each connection, with the last value`() async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            let greeting = [try peer.text(), try peer.text()].compactMap(\.self)
            try peer.send(greeting.joined(separator: "|"))
            if peer.number == 2 { _ = try peer.finish() }
        }
        defer { server.stop() }
        let socket = try await socket(server) {
            $0.greeting = { last, _ in ["hello", last ?? "nothing"] }
        }
        var values: [String] = []
        for try await value in socket.messages {
            values.append(value)
            if values.count == 3 { break }
        }
        #expect(values == ["hello|nothing", "hello|hello|nothing", "hello|hello|hello|nothing"])
    }

    @Test func `An error of the greeting ends the socket`() async throws {
        struct NoGreeting: Error {}
        let server = try SocketServer { try $0.accept([], ServerFrames.text("one")) }
        defer { server.stop() }
        let socket = try await socket(server) {
            $0.greeting = { last, _ in
                if last != nil { throw NoGreeting() }
                return []
            }
        }
        let (values, error) = try await within { await socket.readAll() }
        #expect(values == ["one"])
        #expect(error is NoGreeting)
    }

    /// A server that takes some messages, loses the connection, and so on, until it has had the last.
    @Test(arguments: [0, 1])
    func `Values without a sign that they have arrived are told in order, and sent again by the program alone`(
        confirmed: Int
    ) async throws {
        let (seen, told) = (Locked<[[String]]>([]), Locked<[[String]]>([]))
        let server = try SocketServer { peer in
            try peer.accept()
            var texts: [String] = []
            while texts.last != "19", let frame = try peer.next() {
                if frame.opcode == 9 {
                    // The answer confirms what has come before.
                    if confirmed == 1 { try peer.send(ServerFrames.frame(10, frame.payload) + ServerFrames.text("ok")) }
                } else {
                    texts.append(String(decoding: frame.payload, as: UTF8.self))
                }
                if peer.number == 0, texts.count == 10, frame.opcode == 9 || confirmed == 0 { break }
            }
            seen.withLock { $0.append(texts) }
            if texts.last == "19" { try peer.send("all") }
        }
        defer { server.stop() }
        let socket = try await socket(server) {
            if confirmed == 1 { $0.pings = SocketPings(every: .milliseconds(300), within: .seconds(5)) }
            $0.greeting = { _, unconfirmed in
                told.withLock { $0.append(unconfirmed) }
                return unconfirmed
            }
        }
        for number in 0..<10 { try await socket.send("\(number)") }
        var values = socket.messages.makeAsyncIterator()
        if confirmed == 1 { #expect(try await values.next() == "ok") }
        #expect(try await holds { server.connections == 2 })
        for number in 10..<20 { try await socket.send("\(number)") }
        while let value = try await values.next(), value != "all" {}
        let first = (0..<10).map { "\($0)" }
        #expect(told.withLock { $0 } == [[], confirmed == 1 ? [] : first])
        let second = seen.withLock { $0 }.last ?? []
        #expect(second == (confirmed == 1 ? [] : first) + (10..<20).map { "\($0)" })
    }

    @Test func `A send waits while there is no connection, and arrives on the next`() async throws {
        let mayAccept = DispatchSemaphore(value: 0)
        let server = try SocketServer { peer in
            if peer.number == 0 { return try peer.accept(["Sec-WebSocket-Protocol: v1"], ServerFrames.text("one")) }
            _ = mayAccept.wait(timeout: .now() + 120)
            try peer.accept()
            try peer.echo()
        }
        defer { server.stop() }
        let socket = try await socket(server) { $0.subprotocols = ["v1"] }
        var values = socket.messages.makeAsyncIterator()
        #expect(try await values.next() == "one")
        #expect(try await holds { server.requests.count == 2 })
        #expect(socket.subprotocol == nil)
        let hasSent = Later<Void>()
        let sending = Task {
            try await socket.send("two")
            hasSent.set()
        }
        let canceled = Task { try await socket.send("never") }
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        #expect(!hasSent.isSet)
        mayAccept.signal()
        try await sending.value
        #expect(try await values.next() == "two")
    }

    /// A connection that comes and goes, and a program that sends again what it is told: nothing is lost, and all is in
    /// order.
    @Test func `A program that sends again what is unconfirmed loses nothing over many connections`() async throws {
        let (seen, count) = (Locked<[Int]>([]), 10_000)
        let server = try SocketServer { peer in
            try peer.accept()
            // More than can be sent without an answer to a ping.
            let limit = 2_000 + peer.number * 11
            var taken = 0
            while let frame = try peer.next() {
                if frame.opcode == 9 { try peer.send(ServerFrames.frame(10, frame.payload) + ServerFrames.text("ok")) }
                guard frame.opcode == 1, let number = Int(String(decoding: frame.payload, as: UTF8.self)) else {
                    continue
                }
                seen.withLock { $0.append(number) }
                taken += 1
                if number == count { return try peer.send("all") }
                if taken == limit { return }
            }
        }
        defer { server.stop() }
        let socket = try await socket(server) {
            $0.reconnect = RetryPolicy(attempts: 100_000, backoff: .none)
            $0.pings = SocketPings(every: .milliseconds(5), within: .seconds(5))
            $0.greeting = { $1 }
        }
        let sending = Task { for number in 1...count { try await socket.send("\(number)") } }
        for try await value in socket.messages where value == "all" { break }
        sending.cancel()
        let numbers = seen.withLock { $0 }
        #expect(Set(numbers) == Set(1...count))
        // Without those that came again, they are in order.
        var highest = 0
        #expect(
            numbers.allSatisfy { number in
                defer { highest = max(highest, number) }
                return number <= highest + 1
            }
        )
    }

    #if os(Linux)
    /// The server tells numbers from the one on that the client has not had.
    @Test(arguments: TunnelProxy.Stop.allCases)
    func `A network that goes twice costs no value, in no direction`(stop: TunnelProxy.Stop) async throws {
        let (taken, told) = (Locked<[String]>([]), Locked<[[String]]>([]))
        let server = try SocketServer { peer in
            try peer.accept()
            let start = Int(peer.request["Last"] ?? "") ?? 0
            for number in (start + 1)...(start + 3) { try peer.send("\(number)") }
            var isAwaited = false
            while let frame = try peer.next() {
                if frame.opcode == 9 {
                    // After the answer that confirms the message.
                    let next = isAwaited ? ServerFrames.text("\(start + 4)") : []
                    try peer.send(ServerFrames.frame(10, frame.payload) + next)
                    isAwaited = false
                } else if frame.opcode == 1 {
                    taken.withLock { $0.append(String(decoding: frame.payload, as: UTF8.self)) }
                    isAwaited = true
                }
            }
        }
        let proxy = try TunnelProxy()
        defer {
            proxy.end()
            server.stop()
        }
        let socket = try await socket(server) {
            $0.session = proxy.session
            $0.pings = SocketPings(every: .milliseconds(100), within: .seconds(stop == .closes ? 60 : 5))
            $0.changesRequest = { $0.setValue($1, forHTTPHeaderField: "Last") }
            $0.greeting = { _, unconfirmed in
                told.withLock { $0.append(unconfirmed) }
                return unconfirmed
            }
        }
        var values = socket.messages.makeAsyncIterator()
        for number in 1...11 {
            #expect(try await values.next() == "\(number)")
            // Between the messages of one connection and those of the next.
            guard number == 3 || number == 7 else { continue }
            proxy.stop(stop)
            try await socket.send("after \(number)")
        }
        // What was sent before the loss was noticed is told; what waited for a connection is not.
        #expect(told.withLock { $0 }.allSatisfy { $0.count <= 1 })
        if stop == .closes {
            #expect(taken.withLock { $0 } == ["after 3", "after 7"])
            #expect(proxy.requests == 9 && server.connections == 3)
        } else {
            // A late answer of a busy machine is a loss as well, and what it should confirm is sent again.
            #expect(Set(taken.withLock { $0 }) == ["after 3", "after 7"])
            #expect(server.connections >= 3)
        }
    }
    #endif
}
