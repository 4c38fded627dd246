import APIBaseKit
import Basics
import LoopbackServer
import TestTiers
import Testing

@Suite(.tags(.concurrent), .everySession, .limited) struct ReplyTests {
    private final class PageRequest: JSONAPI, Request {
        typealias ModelType = [Int]
    }

    private func withServer(_ body: (PageRequest) async throws -> Void) async throws {
        let server = try HTTPServer { request in
            if request.target == "/gone" { return .text("gone", status: 410) }
            return ServerResponse(
                headers: HTTPFields(["Content-Type": "application/json", "X-Total": "3"]),
                body: .data(Data("[1, 2]".utf8))
            )
        }
        defer { server.stop() }
        let request = PageRequest()
        request.baseURL = URL(string: "http://127.0.0.1:\(server.port)")
        request.session = EverySession.current
        try await body(request)
    }

    @Test func `A call to reply() returns the value together with its HTTP response`() async throws {
        try await withServer { request in
            #expect(request.response == nil)
            let (value, response) = try await request.reply()
            #expect(value == [1, 2])
            #expect(response.value(forHTTPHeaderField: "X-Total") == "3")
            #expect(request.response === response)
        }
    }

    @Test
    func `The response property of a request has a refused reply and is nil after a failed connection`() async throws {
        try await withServer { request in
            request.path = "/gone"
            await #expect(throws: RequestError.self) { try await request.reply() }
            #expect(request.response?.statusCode == 410)
            // One that did not come is not the one before.
            request.baseURL = URL(string: "http://127.0.0.1:1")
            await #expect(throws: TransportError.self) { try await request.reply() }
            #expect(request.response == nil)
        }
    }

    @Test func `A stubbed call's reply() returns the response of the stub`() async throws {
        let request = PageRequest()
        request.baseURL = URL(string: "http://api.example")
        request.dataTaskPublisher = request.stubJSONResponse(statusCode: 203, data: Data("[]".utf8))
        #expect(try await request.reply().response.statusCode == 203)
    }

    @Test func `Concurrent reply() calls on one object each get the response of their own value`() async throws {
        final class Numbered: APIBase, Request {
            func start() -> AnyPublisher<String, any Error> {
                sendRequest().map { String(decoding: $0.data, as: UTF8.self) }.eraseToAnyPublisher()
            }
        }
        let count = Locked(0)
        let server = try HTTPServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .text("\(number)", headers: HTTPFields(["X-Number": "\(number)"]))
        }
        defer { server.stop() }
        nonisolated(unsafe) let request = Numbered()
        request.baseURL = server.url
        request.session = EverySession.current
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<load(500) {
                group.addTask {
                    guard let reply = try? await request.reply() else { return false }
                    return reply.response.value(forHTTPHeaderField: "X-Number") == reply.value
                }
            }
            for await isOwn in group { #expect(isOwn) }
        }
    }

    @Test func `Awaiting reply() throws nonHTTPResponse for a request that makes no HTTP call`() async throws {
        final class Fixed: APIBase, Request {
            func start() -> AnyPublisher<Int, Never> { Just(1).eraseToAnyPublisher() }
        }
        await #expect(throws: RequestError.nonHTTPResponse) { try await Fixed().reply() }
    }
}
