import APIBaseKit
import Basics
import LoopbackServer
import TestTiers
import Testing

/// Bodies in all their forms, sent again by redirects and retries.
@Suite(.everySession, .limited) struct ContentTests {
    private static let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    /// A server that redirects or refuses first, and keeps what it gets.
    private func withServer(
        _ body: (Call, Locked<[Data]>) async throws -> Void
    ) async throws {
        let bodies = Locked<[Data]>([])
        let server = try HTTPServer { request in
            bodies.withLock { $0.append(request.body) }
            switch request.target {
            case "/redirect": return ServerResponse(status: 307, headers: HTTPFields(["Location": "/end"]))
            case "/refuse": return .text("no", status: bodies.withLock { $0.count } < 3 ? 503 : 200)
            default: return .text("ok")
            }
        }
        defer { server.stop() }
        let call = Call(base: "http://127.0.0.1:\(server.port)")
        call.session = EverySession.current
        call.method = HTTPMethod.put
        try await body(call, bodies)
    }

    private func withContents(_ body: (HTTPBody) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Self.bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let bytes = Self.bytes
        for content in [
            HTTPBody.data(bytes), .file(file), .stream(count: Int64(bytes.count)) { InputStream(data: bytes) },
            .stream(count: nil) { InputStream(data: bytes) },
        ] {
            try await body(content)
        }
    }

    @Test func `A request body of any kind is sent whole again when a redirect is followed`() async throws {
        try await withContents { content in
            try await withServer { call, bodies in
                call.path = "/redirect"
                call.content = content
                let reply = try await call.value()
                #expect(reply.response.statusCode == 200)
                #expect(bodies.withLock { $0 } == [Self.bytes, Self.bytes])
            }
        }
    }

    @Test func `A request body of any kind is sent whole again at every retry`() async throws {
        struct Retried: Request {
            let call: Call
            func start() -> AnyPublisher<APIBase.DataResponseTuple, any Error> {
                call.sendRequest().validateStatusCode(in: 200..<300).retry(2).eraseToAnyPublisher()
            }
        }
        try await withContents { content in
            try await withServer { call, bodies in
                call.path = "/refuse"
                call.content = content
                let reply = try await Retried(call: call).value()
                #expect(reply.response.statusCode == 200)
                #expect(bodies.withLock { $0 } == [Self.bytes, Self.bytes, Self.bytes])
            }
        }
    }

    @Test
    func `A retry with a one-shot body fails with bodyNotReplayable, with the HTTP failure underlying`() async throws {
        for multipart in [false, true] {
            try await withServer { call, bodies in
                let once = HTTPBody.once(InputStream(data: Data("once".utf8)), count: 4)
                call.path = "/refuse"
                call.content = multipart ? .multipart([MultipartPart(name: "a", content: once)]) : once
                let refused = call.sendRequest().validateStatusCode(in: 200..<300).retry(1)
                let error = await #expect(throws: TransportError.self) {
                    for try await _ in refused.values {}
                }
                #expect(error?.reason == .bodyNotReplayable)
                guard case RequestError.httpFailure(503)? = error?.underlying else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(bodies.withLock { $0.count } == 1)
            }
        }
    }

    @Test
    func `A second call of a request object sends the one-shot stream that was set after the first`() async throws {
        try await withServer { call, bodies in
            for text in ["one", "two"] {
                call.content = .once(InputStream(data: Data(text.utf8)), count: 3)
                _ = try await call.value()
            }
            #expect(bodies.withLock { $0 } == [Data("one".utf8), Data("two".utf8)])
        }
    }

    @Test
    func `A bodyNotReplayable error has the first reply's type or decoding error as underlying error`() async throws {
        final class Leaf: JSONAPI, Request { typealias ModelType = [Int] }
        for (type, text) in [("text/html", "<p>"), ("application/json", "{}")] {
            let server = try HTTPServer { _ in
                ServerResponse(headers: HTTPFields(["Content-Type": type]), body: .data(Data(text.utf8)))
            }
            defer { server.stop() }
            let leaf = Leaf(.post("/", content: .once(InputStream(data: Data("once".utf8)), count: 4)))
            leaf.baseURL = server.url
            leaf.session = EverySession.current
            let error = await #expect(throws: TransportError.self) {
                for try await _ in leaf.start().retry(1).values {}
            }
            #expect(error?.reason == .bodyNotReplayable)
            #expect(error?.underlying is RequestError)
        }
    }

    /// Foundation on Linux ends the process if a stream without an error is asked for it.
    @Test func `A body stream that is already closed fails the call with unreadableStream`() async throws {
        for multipart in [false, true] {
            try await withServer { call, _ in
                let used = InputStream(data: Data("abc".utf8))
                used.open()
                used.close()
                nonisolated(unsafe) let stream = used
                let content = HTTPBody.stream(count: 3) { stream }
                call.content = multipart ? .multipart([MultipartPart(name: "a", content: content)]) : content
                let error = await #expect(throws: TransportError.self) { try await call.value() }
                #expect(error?.reason == .invalidRequest(.init(.body, .unreadableStream)))
            }
        }
    }

    @Test func `A multipart part with a wrong declared length fails the call with a bodyLength error`() async throws {
        for (declared, actual) in [(10, 3), (2, 3)] {
            try await withServer { call, _ in
                let short = HTTPBody.stream(count: Int64(declared)) {
                    InputStream(data: Data(repeating: 1, count: actual))
                }
                let open = HTTPBody.stream(count: nil) { InputStream(data: Data("b".utf8)) }
                call.content = .multipart([
                    MultipartPart(name: "a", content: short), MultipartPart(name: "b", content: open),
                ])
                let error = await #expect(throws: TransportError.self) { try await call.value() }
                #expect(error?.reason == .bodyLength(declared: Int64(declared), actual: Int64(actual)))
            }
        }
    }

    @Test
    func `An error thrown by a multipart part's stream is the underlying error of the TransportError`() async throws {
        struct Own: Error {}
        try await withServer { call, _ in
            call.content = .multipart([MultipartPart(name: "a", content: .stream(count: nil) { throw Own() })])
            let error = await #expect(throws: TransportError.self) { try await call.value() }
            #expect(error?.underlying is Own)
        }
    }

    @Test func `A multipart form with a part of Int64.max bytes is printed as having unknown length`() {
        let endless = HTTPBody.stream(count: .max) { InputStream(data: Data()) }
        #expect("\(HTTPBody.multipart([MultipartPart(name: "a", content: endless)]))".contains("unknown length"))
    }

    @Test func `The content property of a request takes precedence over body and bodyStream`() throws {
        let call = Call()
        call.method = .post
        call.body = Data("body".utf8)
        call.bodyStream = (InputStream(data: Data("stream".utf8)), 6)
        call.content = .data(Data("content".utf8), type: "text/plain")
        let request = try call.buildURLRequest()
        #expect(request.httpBody == Data("content".utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "text/plain")
        call.content = HTTPBody.none
        #expect(try call.buildURLRequest().httpBody?.isEmpty ?? true)
        call.content = nil
        #expect(try call.buildURLRequest().httpBodyStream != nil)
    }

    @Test func `The contentType of a request applies to a stream body, which has no type of its own`() throws {
        let call = Call()
        call.method = .post
        call.contentType = "image/png"
        call.content = .stream(count: nil) { InputStream(data: Data()) }
        let request = try call.buildURLRequest()
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "image/png")
        #expect(request.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    @Test
    func `An error thrown by a body's stream closure is the underlying error of the TransportError`() async throws {
        struct Own: Error {}
        try await withServer { call, _ in
            call.content = .stream(count: nil) { throw Own() }
            let error = await #expect(throws: TransportError.self) { try await call.value() }
            #expect(error?.reason == .invalidRequest(.init(.body, .unreadableStream)))
            #expect(error?.underlying is Own)
        }
    }
}
