import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import TestTiers
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

    /// Waits until a SYN has met the full queue (proc_net_tcp(5): the state is 2), at most two minutes.
    private func waitForSYN() {
        let line = "0100007F:\(String(port, radix: 16, uppercase: true)) 02 "
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            // A file without a size, of which `String` would read only the beginning.
            let table = try? FileHandle(forReadingAtPath: "/proc/net/tcp")?.readToEnd()
            // In a moment before the kernel has dropped it, it is seen as well.
            Scene.pass(.milliseconds(50))
            if String(decoding: table ?? Data(), as: UTF8.self).contains(line) { return }
        }
    }

    /// Takes the connections that wait, once one of them has lost its first SYN, and answers the one that sends something.
    func answer() {
        waitForSYN()
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
@Suite(.limited) struct CallTimingsTests {
    /// By which the clocks may differ, and what is lost by rounding.
    private static let slack = Duration.milliseconds(2)

    /// The time limits of the phases are moments that the test and the server see.
    @Test(.everySession)
    func `The first byte and transfer times in a call's timings match the delays of the server`() async throws {
        let (headIsWritten, hasHead) = (Later<ContinuousClock.Instant>(), DispatchSemaphore(value: 0))
        let server = try ScriptedServer { _, connection, _ in
            Scene.pass(.milliseconds(30))
            headIsWritten.set(.now)
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            _ = hasHead.wait(timeout: .now() + 120)
            Scene.pass(.milliseconds(50))
            try connection.write("half")
        }
        defer { server.stop() }
        let call = WatchedCall(base: "http://127.0.0.1:\(server.port)")
        call.session = EverySession.current
        let start = ContinuousClock.now
        async let failure = call.failure()
        #expect(try await holds { call.story.contains("head 200") })
        let head = ContinuousClock.now
        hasHead.signal()
        #expect(await failure == nil)
        let end = ContinuousClock.now
        let timings = try #require(call.timings)
        let (firstByte, transfer) = (try #require(timings.firstByte), try #require(timings.transfer))
        #expect(firstByte >= .milliseconds(30) - Self.slack && firstByte <= head - start + Self.slack)
        let longest = end - (try await headIsWritten.value()) + Self.slack
        #expect(transfer >= .milliseconds(50) - Self.slack && transfer <= longest)
        #expect(firstByte + transfer <= timings.whole + Self.slack && timings.whole <= end - start + Self.slack)
        #expect(timings.bytesReceived == 8)
        #expect(timings.bytesSent == 0)
    }

    @Test(.everySession)
    func `The timings of a call count the bytes of its request and response bodies`() async throws {
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
    func `The TLS time in a call's timings includes the delay of the server's handshake`() async throws {
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
        let call = WatchedCall(base: "https://localhost:\(relay.port)")
        call.session = CurlSession(configuration: configuration)
        #expect(await call.failure() == nil)
        let timings = try #require(call.timings)
        let tls = try #require(timings.tls)
        #expect(tls >= .milliseconds(90) - Self.slack)
        // The delay is in no other phase as well.
        let others = [timings.nameLookup, timings.connect, timings.firstByte, timings.transfer].compactMap { $0 }
        #expect(timings.connect != nil && others.reduce(tls, +) <= timings.whole + Self.slack)
        #expect(timings.isConnectionReused == false)
    }

    /// The first SYN meets a full queue, and the second is sent a second later (RFC 6298, section 2.1).
    @Test(.heavy)
    func `The connect time in a call's timings includes the second until a lost SYN is sent again`() async throws {
        let listener = try FullListener()
        DispatchQueue(label: "listener").async { listener.answer() }
        let call = WatchedCall(base: "http://127.0.0.1:\(listener.port)")
        call.session = CurlSession()
        #expect(await call.failure() == nil)
        let timings = try #require(call.timings)
        let connect = try #require(timings.connect)
        #expect(connect >= .milliseconds(990) && connect <= timings.whole + Self.slack)
        #expect(timings.statusCode == 200)
    }

    @Test func `The timings of a call on a reused connection have no name lookup and no connect time`() async throws {
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
