import Dispatch
import Foundation
import Basics
import LoopbackServer
import RawClient
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct SocketConnectionTests {
    /// Both ends of one connection.
    private final class Pair {
        let listener: SocketListener
        let near: SocketConnection
        let far: SocketConnection
        private let done = DispatchSemaphore(value: 0)

        init() throws {
            let accepted = Locked<SocketConnection?>(nil)
            let ready = DispatchSemaphore(value: 0)
            let done = done
            listener = try SocketListener { connection in
                accepted.withLock { $0 = connection }
                ready.signal()
                _ = done.wait(timeout: .now() + 120)
            }
            near = try SocketConnection(connectingTo: listener.port)
            _ = ready.wait(timeout: .now() + 60)
            far = try #require(accepted.withLock { $0 })
        }

        deinit {
            done.signal()
            listener.stop()
        }
    }

    @Test
    func `SocketConnection.read(until:) returns the bytes through the marker and keeps the rest to read`() throws {
        let pair = try Pair()
        try pair.far.write("one--two--rest")
        #expect(try pair.near.read(until: Array("--".utf8)) == Array("one--".utf8))
        #expect(try pair.near.read(until: Array("--".utf8)) == Array("two--".utf8))
        #expect(try pair.near.read(exactly: 2) == Array("re".utf8))
        pair.far.finishWriting()
        #expect(try pair.near.readToEnd() == Array("st".utf8))
    }

    @Test func `SocketConnection.read(until:) finds a marker that arrives split in two`() throws {
        let pair = try Pair()
        try pair.far.write("a\r")
        #expect(try pair.near.read(exactly: 1) == Array("a".utf8))
        pair.near.unread(Array("a".utf8))
        try pair.far.write("\nb")
        #expect(try pair.near.read(until: [0x0D, 0x0A]) == Array("a\r\n".utf8))
    }

    @Test
    func `A socket read throws limitExceeded if no marker is in its limit, endedEarly if the peer stops`() throws {
        let pair = try Pair()
        try pair.far.write("abcdef")
        #expect(throws: SocketError.limitExceeded(limit: 4)) { try pair.near.read(until: [0], atMost: 4) }
        try pair.far.write("xyz")
        pair.far.finishWriting()
        #expect(throws: SocketError.endedEarly(received: 3)) { try pair.near.read(exactly: 10) }
    }

    @Test func `A SocketConnection can still read after finishWriting() has closed its sending side`() throws {
        let pair = try Pair()
        pair.near.finishWriting()
        #expect(try pair.far.read().isEmpty)
        try pair.far.write("still")
        #expect(try pair.near.read(exactly: 5) == Array("still".utf8))
    }

    @Test func `A SocketConnection read or write throws timedOut when its deadline has passed`() throws {
        let pair = try Pair()
        let start = ContinuousClock.now
        #expect(throws: SocketError.timedOut) { try pair.near.read(before: .now + .milliseconds(60)) }
        #expect(ContinuousClock.now - start >= .milliseconds(60))
        #expect(throws: SocketError.timedOut) {
            while true { try pair.near.write(Data(count: 1 << 20), before: .now + .milliseconds(60)) }
        }
    }

    @Test func `SocketConnection.close() makes a read that blocks on another thread throw SocketError.closed`() throws {
        let pair = try Pair()
        let outcome = Locked<SocketError?>(nil)
        let group = DispatchGroup()
        let near = pair.near
        DispatchQueue.global().async(group: group) {
            do { _ = try near.read() } catch { outcome.withLock { $0 = error as? SocketError } }
        }
        // So that it most likely reads; the error is the same if it has not begun.
        #expect(group.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
        near.close()
        #expect(group.wait(timeout: .now() + 60) == .success)
        #expect(outcome.withLock { $0 } == .closed)
        #expect(near.isClosed)
        #expect(throws: SocketError.closed) { try near.write("x") }
    }

    @Test func `A SocketConnection read throws SocketError.system with ECONNRESET when the peer resets it`() throws {
        let pair = try Pair()
        pair.far.reset()
        #expect(throws: SocketError.system(call: "recv", code: ECONNRESET)) { try pair.near.read() }
    }

    @Test
    func `A SocketConnection write after a reset by the peer throws a SocketError and raises no SIGPIPE`() throws {
        let pair = try Pair()
        pair.far.reset()
        // Waits for the reset. A write after it would raise the signal.
        #expect(throws: SocketError.self) { try pair.near.read() }
        for _ in 0..<3 { #expect(throws: SocketError.self) { try pair.near.write("x") } }
    }

    @Test func `SocketListener counts the connections it has accepted, and has none open after stop()`() throws {
        let listener = try SocketListener { connection in _ = try? connection.readToEnd() }
        defer { listener.stop() }
        for _ in 0..<5 {
            let connection = try SocketConnection(connectingTo: listener.port)
            connection.finishWriting()
            #expect(try connection.readToEnd().isEmpty)
        }
        #expect(listener.acceptedConnections == 5)
        #expect(listener.stop(waitingAtMost: .seconds(60)))
        #expect(listener.openConnections == 0)
    }

    @Test func `Starting a SocketListener on a host that is not an IP address fails with invalidAddress`() {
        #expect(throws: SocketError.invalidAddress(host: "nowhere")) { try SocketListener(host: "nowhere") { _ in } }
    }
}
