import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// A call that is held by others, or is gone.
///
/// Unchecked: the reference is atomic, and it is written before any other thread knows of it.
private final class Held: @unchecked Sendable {
    weak var call: Call?
}

/// The kit on real sockets.
@Suite(.tags(.concurrent), .everySession, .limited) struct CallNetworkTests {
    private func call(_ server: HTTPServer, _ path: String = "/") -> Call {
        let call = Call(base: "http://127.0.0.1:\(server.port)", path)
        call.session = EverySession.current
        return call
    }

    @Test func `A request reaches the server with the method, target, headers and body that were set`() async throws {
        let seen = Locked<ServerRequest?>(nil)
        let server = try HTTPServer { request in
            seen.withLock { $0 = request }
            return .text("ok")
        }
        defer { server.stop() }
        let call = call(server, "/a%2Fb/\(segment: "c d")")
        call.method = .patch
        call.queryItems = [URLQueryItem(name: "q", value: "1+1=2&3")]
        call.headers = ["X-One": "1", "Authorization": "Bearer token"]
        call.contentType = "application/json"
        call.body = Data(#"{"a": 1}"#.utf8)
        #expect(try await call.value().response.statusCode == 200)
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == "PATCH")
        #expect(request.target == "/a%2Fb/c%20d?q=1%2B1%3D2%263")
        #expect(request.headers.values(for: "X-One") == ["1"])
        #expect(request.headers.values(for: "Authorization") == ["Bearer token"])
        #expect(request.headers.values(for: "Content-Type") == ["application/json"])
        #expect(request.headers.values(for: "Content-Length") == ["8"])
        #expect(request.headers.values(for: "Transfer-Encoding") == [])
        #expect(request.body == Data(#"{"a": 1}"#.utf8))
    }

    @Test func `A bodyStream of 300 KB reaches the server whole`() async throws {
        let server = try HTTPServer { .text(String($0.body.count)) }
        defer { server.stop() }
        let call = call(server)
        call.method = .post
        call.contentType = "application/octet-stream"
        call.bodyStream = (InputStream(data: Data(repeating: 1, count: 300_000)), 300_000)
        #expect(try await call.value().data == Data("300000".utf8))
    }

    @Test func `A call with Combine's retry operator is sent again after status 503`() async throws {
        let attempts = Locked(0)
        let server = try HTTPServer { _ in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            return .text("attempt \(attempt)", status: attempt < 3 ? 503 : 200)
        }
        defer { server.stop() }
        struct Retried: Request {
            let call: Call
            func start() -> AnyPublisher<APIBase.DataResponseTuple, any Error> {
                call.start().validateStatusCode(in: 200..<300).retry(2).eraseToAnyPublisher()
            }
        }
        #expect(try await Retried(call: call(server)).value().data == Data("attempt 3".utf8))
        #expect(attempts.withLock { $0 } == 3)
    }

    /// A server that answers nothing for as long as the connection is open.
    private func silentServer() throws -> ScriptedServer {
        try ScriptedServer { _, connection, _ in
            _ = try connection.readToEnd(before: .now + .seconds(600))
            connection.close()
        }
    }

    @Test func `A call without a reply fails with timedOut after its timeout of 50 milliseconds`() async throws {
        let server = try silentServer()
        defer { server.stop() }
        let call = Call(base: "http://127.0.0.1:\(server.port)")
        call.session = EverySession.current
        call.timeout = .milliseconds(50)
        await #expect { try await call.value() } throws: { error in
            guard case .timedOut(which: .total, after: .milliseconds(50)) = (error as? TransportError)?.reason else {
                return false
            }
            return true
        }
    }

    @Test(arguments: [0, 1])
    func `A limits.total or timeoutInterval below the call's timeout ends the call with timedOut`(way: Int) async throws
    {
        let server = try silentServer()
        defer { server.stop() }
        let call = HurriedCall()
        call.session = EverySession.current
        call.baseURL = server.url()
        if way == 0 { call.limits.total = .milliseconds(50) } else { call.interval = 0.05 }
        await #expect { try await call.value() } throws: { error in
            (error as? TransportError)?.reason == .timedOut(which: .total, after: .milliseconds(50))
        }
    }

    @Test(arguments: [TimeInterval.infinity, .nan, 1e300, 86_400])
    func `A call with an infinite, NaN or huge timeout gets its reply`(interval: TimeInterval) async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let call = HurriedCall()
        call.session = EverySession.current
        call.baseURL = server.url
        call.interval = interval
        #expect(try await call.value().data.count == 2)
        call.interval = nil
        call.timeout = .seconds(Int64.max)
        #expect(try await call.value().data.count == 2)
    }

    @Test func `A reply larger than limits.responseBytes fails with tooLarge`() async throws {
        let server = try HTTPServer { _ in .text(String(repeating: "x", count: 10_000)) }
        defer { server.stop() }
        let call = call(server)
        call.limits.responseBytes = 9_999
        await #expect { try await call.value() } throws: { error in
            (error as? TransportError)?.reason == .tooLarge(.responseBytes, limit: 9_999)
        }
        call.limits.responseBytes = 10_000
        #expect(try await call.value().data.count == 10_000)
    }

    @Test(arguments: ["Authorization", "Cookie", "X-Api-Key", "X-Own-Secret"])
    func `A redirect to another origin drops a secret header of the request`(name: String) async throws {
        let seen = Locked<[[String]]>([])
        let other = try HTTPServer { request in
            seen.withLock { $0.append(request.headers.values(for: name)) }
            return .text("ok")
        }
        let server = try HTTPServer { request in
            seen.withLock { $0.append(request.headers.values(for: name)) }
            return ServerResponse(status: 302, headers: HTTPFields(["Location": "http://127.0.0.1:\(other.port)/"]))
        }
        defer {
            server.stop()
            other.stop()
        }
        let call = call(server)
        call.headers[name] = "canary"
        call.secretHeaders.insert("x-own-secret")
        #expect(try await call.value().response.statusCode == 200)
        #expect(seen.withLock { $0 } == [["canary"], []])
    }

    @Test
    func `The uploadProgress and downloadProgress of a finished call count all bytes of its bodies`() async throws {
        let server = try HTTPServer { _ in .text(String(repeating: "x", count: 200_000)) }
        defer { server.stop() }
        let call = call(server)
        call.method = .post
        call.contentType = "text/plain"
        call.body = Data(repeating: 1, count: 100_000)
        let announced = Locked(0)
        let observer = call.objectWillChange.sink { announced.withLock { $0 += 1 } }
        defer { observer.cancel() }
        #expect(try await call.value().data.count == 200_000)
        #expect(call.uploadProgress == (100_000, 100_000))
        #expect(call.downloadProgress == (200_000, 200_000))
        #expect(announced.withLock { $0 } >= 2)
    }

    @Test func `A request object is released after its call has finished`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let held = Held()
        do {
            let call = call(server)
            held.call = call
            #expect(try await call.value().data.count == 2)
        }
        // The thread that has brought the value may still be on its way out.
        #expect(try await holds { held.call == nil })
    }

    /// Subscribes and cancels on one serial queue, so that "after `cancel()`" has one meaning.
    @Test func `A call's subscription delivers nothing after cancel()`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let queue = DispatchQueue(label: "cancelling")
        let state = Locked((cancelled: Set<Int>(), violations: 0, delivered: 0))
        let url = "http://127.0.0.1:\(server.port)"
        let session = EverySession.current
        let count = load(2_000)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 64 { await group.next() }
                let moment = Int.random(in: 0...3_000)
                group.addTask {
                    await withCheckedContinuation { continuation in
                        queue.async {
                            let call = Call(base: url)
                            call.session = session
                            let subscription = call.start().receive(on: queue).sink { _ in
                                state.withLock { state in
                                    if state.cancelled.contains(number) { state.violations += 1 }
                                }
                            } receiveValue: { _ in
                                state.withLock { state in
                                    if state.cancelled.contains(number) { state.violations += 1 }
                                    state.delivered += 1
                                }
                            }
                            let handover = Handover(subscription)
                            queue.asyncAfter(deadline: .now() + .microseconds(moment)) {
                                handover.subscription.cancel()
                                state.withLock { _ = $0.cancelled.insert(number) }
                                continuation.resume()
                            }
                        }
                    }
                }
            }
        }
        #expect(state.withLock { $0.violations } == 0)
        #expect(state.withLock { $0.cancelled.count } == count)
        // The process goes on answering.
        #expect(try await call(server).value().data == Data("ok".utf8))
    }
}

/// A call whose override of `buildURLRequest()` sets a time.
private final class HurriedCall: APIBase, Request {
    var interval: TimeInterval?

    override func buildURLRequest() throws -> URLRequest {
        var request = try super.buildURLRequest()
        if let interval { request.timeoutInterval = interval }
        return request
    }

    func start() -> AnyPublisher<DataResponseTuple, any Error> {
        sendRequest()
    }
}

/// Carries a subscription to the closure that cancels it. Unchecked: both run on one serial queue.
private struct Handover: @unchecked Sendable {
    let subscription: AnyCancellable

    init(_ subscription: AnyCancellable) {
        self.subscription = subscription
    }
}
