import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import Testing

#if os(Linux)
/// A listening socket whose queue is full until it answers: it takes no connection for now.
private final class FullListener: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let fillers: [Int32]

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = descriptor
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(number, pointer, length)
                _ = listen(number, 0)
                _ = getsockname(number, pointer, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        let bound = address
        fillers = (0..<1).map { _ in
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            withUnsafePointer(to: bound) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(filler, $0, length) }
            }
            return filler
        }
    }

    /// Takes the connections that wait, and answers the one that sends something.
    func answer() {
        for _ in 0...fillers.count {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { continue }
            DispatchQueue(label: "answer").async {
                var bytes = [UInt8](repeating: 0, count: 4_096)
                if recv(connection, &bytes, bytes.count, 0) > 0 {
                    let text = Array(reply(body: "ok").utf8)
                    _ = send(connection, text, text.count, Int32(MSG_NOSIGNAL))
                }
                close(connection)
            }
        }
        for filler in fillers { close(filler) }
        close(descriptor)
    }
}
#endif

/// Times over real sockets, against servers that take known ones.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CallTimingsTests {
    private static let slack = Duration.milliseconds(10)

    /// Runs a call until each of these has been so in a run that was not disturbed: on a busy machine, any wait may take
    /// longer than it should.
    private func timings(
        of expected: [(CallTimings) -> Bool],
        _ call: () throws -> WatchedCall
    ) async throws -> CallTimings {
        var missing = expected
        var last: CallTimings?
        for _ in 0..<100 {
            let call = try call()
            _ = await call.failure()
            let timings = try #require(call.timings)
            missing.removeAll { $0(timings) }
            if missing.isEmpty { return timings }
            last = timings
        }
        Issue.record("\(String(describing: last))")
        return try #require(last)
    }

    private static func isNear(_ time: Duration?, _ expected: Duration) -> Bool {
        guard let time else { return false }
        return time >= expected - slack && time <= expected + slack
    }

    @Test(.everySession) func `The first byte and transfer times match the delays of the server`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            Scene.pass(.milliseconds(80))
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            Scene.pass(.milliseconds(120))
            try connection.write("half")
        }
        defer { server.stop() }
        let timings = try await timings(of: [
            { Self.isNear($0.firstByte, .milliseconds(80)) }, { Self.isNear($0.transfer, .milliseconds(120)) },
            { Self.isNear($0.whole, .milliseconds(200)) },
        ]) {
            let call = WatchedCall(base: "http://127.0.0.1:\(server.port)")
            call.session = EverySession.current
            return call
        }
        #expect(timings.bytesReceived == 8)
        #expect(timings.bytesSent == 0)
    }

    @Test(.everySession) func `The timings count the bytes of the request and response bodies`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let call = WatchedCall(.post, base: "http://127.0.0.1:\(server.port)")
        call.session = EverySession.current
        call.body = Data(count: 100_000)
        _ = try await call.value()
        #expect(call.timings?.bytesSent == 100_000)
        #expect(call.timings?.bytesReceived == 2)
    }

    #if os(Linux)
    @Test(.enabled(if: OpenSSL.program != nil, "the command openssl makes the certificates"))
    func `The TLS time matches the delay of the server's handshake`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"))
        let relay = try TLSRelay(to: server.port, delay: .milliseconds(90))
        defer {
            relay.stop()
            server.stop()
            authority.remove()
        }
        var configuration = CurlSession.Configuration()
        configuration.certificateAuthorities = authority.certificate
        let timings = try await timings(of: [
            // The handshake itself takes some milliseconds of reckoning.
            { (.milliseconds(90)...(.milliseconds(110))).contains($0.tls ?? .zero) },
            { $0.connect.map { $0 <= Self.slack } ?? false },
        ]) {
            let call = WatchedCall(base: "https://localhost:\(relay.port)")
            call.session = CurlSession(configuration: configuration)
            return call
        }
        #expect(timings.isConnectionReused == false)
    }

    /// The first SYN meets a full queue, and the second is sent a second later (RFC 6298, section 2.1).
    @Test func `The connect time includes the second until a lost SYN is sent again`() async throws {
        let timings = try await timings(of: [
            { (.milliseconds(990)...(.milliseconds(1_060))).contains($0.connect ?? .zero) }
        ]) {
            let listener = try FullListener()
            DispatchQueue(label: "listener").asyncAfter(deadline: .now() + .milliseconds(300)) { listener.answer() }
            let call = WatchedCall(base: "http://127.0.0.1:\(listener.port)")
            call.session = CurlSession()
            return call
        }
        #expect(timings.statusCode == 200)
    }

    @Test func `The timings of a reused connection have no name lookup and no connect time`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let session = CurlSession()
        let calls = (0..<2).map { _ in WatchedCall(base: "http://localhost:\(server.port)") }
        for call in calls {
            call.session = session
            _ = try await call.value()
        }
        let (first, second) = (try #require(calls[0].timings), try #require(calls[1].timings))
        #expect(first.isConnectionReused == false)
        #expect(first.nameLookup != nil)
        #expect(first.connect != nil)
        #expect(first.tls == nil)
        #expect(second.isConnectionReused == true)
        #expect(second.nameLookup == nil)
        #expect(second.connect == nil)
        await session.shutdown()
    }
    #endif
}
