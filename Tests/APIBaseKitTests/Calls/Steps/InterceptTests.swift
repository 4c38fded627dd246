import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

private enum Trace {
    @TaskLocal static var id = "none"
}

/// An API whose attempts leave a trace.
private class TracedAPI: APIBase {
    let order = Locked<[String]>([])

    override func intercept(
        _ request: URLRequest,
        next: @escaping (URLRequest) -> AnyPublisher<StreamedReply, any Error>
    ) -> AnyPublisher<StreamedReply, any Error> {
        order.withLock { $0.append("api \(Trace.id)") }
        var request = request
        request.setValue("1", forHTTPHeaderField: "X-API")
        return super.intercept(request, next: next)
    }
}

private final class Leaf: TracedAPI, Request {
    typealias Next = (URLRequest) -> AnyPublisher<StreamedReply, any Error>
    var around: (URLRequest, @escaping Next) -> AnyPublisher<StreamedReply, any Error> = { $1($0) }

    /// Set when the head has come.
    let head = Later<Void>()

    init(base: String = "http://api.example") {
        super.init()
        baseURL = URL(string: base)
        path = "/x"
    }

    let story = Locked<[String]>([])

    override func report(_ event: CallEvent) {
        let name =
            switch event {
            case .began: "began"
            case .sent: "sent"
            case .head: "head"
            case .retrying: "retrying"
            case .refreshed: "refreshed"
            case .noted: "noted"
            case .shared: "shared"
            case .cached: "cached"
            case .ended: "ended"
            case .failed(let error, _): error is CancellationError ? "cancelled" : "failed"
            }
        story.withLock { $0.append(name) }
        if name == "head" { head.set() }
    }

    func start() -> AnyPublisher<String, any Error> {
        sendRequest().map { String(decoding: $0.data, as: UTF8.self) }.eraseToAnyPublisher()
    }

    override func intercept(_ request: URLRequest, next: @escaping Next) -> AnyPublisher<StreamedReply, any Error> {
        order.withLock { $0.append("leaf \(Trace.id)") }
        return around(request) { super.intercept($0, next: next) }
    }
}

/// Asks for all there is, until it is cancelled.
private final class Cancelling: Subscriber, Sendable {
    private let subscription = Locked<(any Subscription)?>(nil)

    func receive(subscription: any Subscription) {
        self.subscription.withLockUnchecked { $0 = subscription }
        subscription.request(.unlimited)
    }

    func receive(_ input: String) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<any Error>) {}
    func cancel() { subscription.withLock { $0 }?.cancel() }
}

@Suite(.tags(.concurrent), .limited) struct InterceptTests {
    private static func text(_ text: String, status: Int = 200) throws -> StreamedReply {
        let url = try #require(URL(string: "http://api.example"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: [:])
        )
        return StreamedReply(
            response: response,
            body: [Data(text.utf8.prefix(2)), Data(text.utf8.dropFirst(2))].publisher
                .setFailureType(to: (any Error).self).eraseToAnyPublisher()
        )
    }

    /// What the call fails with, if that is an error of the kit's.
    private static func failure(of leaf: Leaf, in stubs: Stubs) async -> RequestError? {
        do {
            _ = try await stubs.runUnchecked { try await leaf.value() }
            return nil
        } catch {
            return error as? RequestError
        }
    }

    @Test func `Each attempt runs intercept(_:next:) of the subclass before that of its superclass`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(503), .text("ok"))
        let leaf = Leaf()
        leaf.authorization = .bearer("a")
        leaf.retry = .standard
        leaf.around = { request, next in
            #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer a")
            var request = request
            #expect(request.value(forHTTPHeaderField: "X-API") == nil)
            request.setValue("2", forHTTPHeaderField: "X-Leaf")
            return next(request)
        }
        let text = try await stubs.run { try await Trace.$id.withValue("a") { try await leaf.value() } }
        #expect(text == "ok")
        #expect(leaf.order.withLock { $0 } == ["leaf a", "api a", "leaf a", "api a"])
        #expect(stubs.calls.allSatisfy { $0.headers["X-API"] == "1" && $0.headers["X-Leaf"] == "2" })
        #expect(leaf.request?.value(forHTTPHeaderField: "X-Leaf") == "2")
    }

    @Test func `Async work in intercept(_:next:) sees the task locals of the call's start`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(503), .text("ok"))
        let leaf = Leaf()
        leaf.retry = .standard
        leaf.around = { request, next in
            AnyPublisher.awaiting {
                await Task.yield()
                var request = request
                request.setValue(Trace.id, forHTTPHeaderField: "X-Trace")
                return request
            }
            .flatMap(next).eraseToAnyPublisher()
        }
        let text = try await stubs.run { try await Trace.$id.withValue("a") { try await leaf.value() } }
        #expect(text == "ok")
        #expect(stubs.calls.map { $0.headers["X-Trace"] } == ["a", "a"])
    }

    /// The end of what awaits comes on another thread than the reply.
    @Test func `A reply is not lost when intercept(_:next:) delivers it on another thread`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        for _ in 0..<load(2_000) {
            let leaf = Leaf()
            leaf.around = { request, next in
                AnyPublisher.awaiting { request }.flatMap(next).receive(on: DispatchQueue.global())
                    .eraseToAnyPublisher()
            }
            let text = try await stubs.runUnchecked { try await leaf.value() }
            #expect(text == "ok")
        }
    }

    @Test func `Canceling a call cancels the task that intercept(_:next:) awaits`() async throws {
        let (began, ended) = (Later<Void>(), Later<Bool>())
        let leaf = Leaf()
        leaf.around = { request, next in
            AnyPublisher.awaiting {
                began.set()
                try? await Task.sleep(for: .seconds(3_600))
                ended.set(Task.isCancelled)
                return request
            }
            .flatMap(next).eraseToAnyPublisher()
        }
        let subscription = Outcome<String, any Error>().subscribe(to: leaf.start())
        try await began.value()
        subscription.cancel()
        #expect(try await ended.value())
        #expect(leaf.request == nil)
    }

    @Test func `A call that is canceled while its attempt ends reports the cancellation as its last event`() {
        let leaf = Leaf()
        leaf.retry = RetryPolicy(attempts: 3, backoff: .none)
        leaf.dataTaskPublisher = leaf.stubResponse(statusCode: 503, data: Data())
        let subscriber = Cancelling()
        leaf.around = { request, next in
            // It goes on until the attempt is given up, and ends the call then.
            next(request).append(Empty(completeImmediately: false)).handleEvents(receiveCancel: { subscriber.cancel() })
                .eraseToAnyPublisher()
        }
        leaf.start().subscribe(subscriber)
        #expect(leaf.story.withLock { $0 } == ["began", "sent", "head", "retrying", "cancelled"])
    }

    @Test(arguments: [false, true])
    func `A publisher of intercept(_:next:) that does not complete is canceled after its reply`(isAwaited: Bool)
        async throws
    {
        let leaf = Leaf()
        leaf.dataTaskPublisher = leaf.stubResponse(statusCode: 200, data: Data("ok".utf8))
        let isCancelled = Later<Void>()
        leaf.around = { request, next in
            next(request).append(Empty(completeImmediately: false)).handleEvents(receiveCancel: { isCancelled.set() })
                .eraseToAnyPublisher()
        }
        if isAwaited {
            #expect(try await leaf.value() == "ok")
        } else {
            #expect(outcome(of: leaf.start()).values == ["ok"])
        }
        try await isCancelled.value()
        #expect(leaf.story.withLock { $0 } == ["began", "sent", "head", "ended"])
    }

    @Test func `Code that follows awaited work in intercept(_:next:) sees a task that is not canceled`() async throws {
        let leaf = Leaf()
        leaf.dataTaskPublisher = leaf.stubResponse(statusCode: 200, data: Data("ok".utf8))
        let isCancelled = Locked<Bool?>(nil)
        leaf.around = { request, next in
            AnyPublisher.awaiting { request }
                .flatMap { request in
                    isCancelled.withLock { $0 = Task.isCancelled }
                    return next(request)
                }
                .eraseToAnyPublisher()
        }
        #expect(try await leaf.value() == "ok")
        #expect(isCancelled.withLock { $0 } == false)
    }

    @Test func `A request that intercept(_:next:) sends to another host has no secret headers`() throws {
        let leaf = Leaf()
        leaf.authorization = .bearer("token")
        leaf.secretHeaders.insert("X-Key")
        leaf.headers["X-Key"] = "key"
        leaf.headers["X-Open"] = "open"
        for (url, sends) in [("http://api.example/y", true), ("http://other.example/x", false)] {
            leaf.around = { request, next in
                var request = request
                request.url = URL(string: url)
                return next(request)
            }
            leaf.dataTaskPublisher = leaf.stubResponse(statusCode: 200, data: Data())
            #expect(outcome(of: leaf.start()).isFinished)
            let sent = try #require(leaf.request)
            #expect(sent.url?.absoluteString == url)
            #expect(sent.value(forHTTPHeaderField: "Authorization") == (sends ? "Bearer token" : nil))
            #expect(sent.value(forHTTPHeaderField: "X-Key") == (sends ? "key" : nil))
            #expect(sent.value(forHTTPHeaderField: "X-Open") == "open")
        }
    }

    /// What a request declares is added to what is secret anyway.
    @Test(arguments: ["Authorization", "Cookie", "X-Api-Key", "X-Books-Token", "X-Client-Secret", "X-Own"])
    func `A built-in or declared secret header is dropped when intercept(_:next:) changes the host`(name: String) throws
    {
        let leaf = Leaf()
        leaf.secretHeaders = ["X-Own"]
        leaf.headers[name] = "canary"
        leaf.around = { request, next in
            var request = request
            request.url = URL(string: "http://other.example/x")
            return next(request)
        }
        leaf.dataTaskPublisher = leaf.stubResponse(statusCode: 200, data: Data())
        #expect(outcome(of: leaf.start()).isFinished)
        let sent = try #require(leaf.request?.allHTTPHeaderFields)
        #expect(!sent.values.contains("canary"))
    }

    @Test func `A call fails with the error that intercept(_:next:) throws`() async throws {
        struct Own: Error {}
        let leaf = Leaf()
        leaf.around = { _, _ in AnyPublisher.awaiting { throw Own() } }
        await #expect(throws: Own.self) { try await leaf.value() }
        #expect(leaf.request == nil)
    }

    @Test func `A reply made by intercept(_:next:) is delivered without sending a request`() async throws {
        let leaf = Leaf()
        let reply = try Self.text("by itself", status: 404)
        leaf.around = { _, _ in Just(reply).setFailureType(to: (any Error).self).eraseToAnyPublisher() }
        let (text, response) = try await leaf.reply()
        #expect(text == "by itself")
        #expect(response.statusCode == 404)
        #expect(leaf.request == nil)
        #expect(leaf.response?.statusCode == 404)
    }

    @Test func `A response body that intercept(_:next:) changes is delivered changed`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("abcdef").inChunks(of: 2))
        let leaf = Leaf()
        leaf.around = { request, next in
            next(request)
                .map { reply in
                    let body = reply.body.map { Data(String(decoding: $0, as: UTF8.self).uppercased().utf8) }
                    return StreamedReply(response: reply.response, body: body.eraseToAnyPublisher())
                }
                .eraseToAnyPublisher()
        }
        #expect(try await stubs.run { try await leaf.value() } == "ABCDEF")
    }

    @Test func `A reply that intercept(_:next:) only observes is delivered unchanged`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("abcdef").inChunks(of: 2))
        let leaf = Leaf()
        let statuses = Locked<[Int]>([])
        leaf.around = { request, next in
            next(request)
                .handleEvents(receiveOutput: { reply in statuses.withLock { $0.append(reply.response.statusCode) } })
                .eraseToAnyPublisher()
        }
        #expect(try await stubs.run { try await leaf.value() } == "abcdef")
        #expect(statuses.withLock { $0 } == [200])
    }

    @Test func `Calling next a second time in intercept(_:next:) sends the request again`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(500), .text("ok"))
        let leaf = Leaf()
        leaf.around = { request, next in
            next(request)
                .flatMap {
                    $0.response.statusCode == 500
                        ? next(request) : Just($0).setFailureType(to: (any Error).self).eraseToAnyPublisher()
                }
                .eraseToAnyPublisher()
        }
        #expect(try await stubs.run { try await leaf.value() } == "ok")
        #expect(stubs.calls.count == 2)
    }

    @Test func `The connection of a reply that intercept(_:next:) replaces unread is closed`() async throws {
        let isClosed = Later<Void>()
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 30000000\r\n\r\n")
            let chunk = [UInt8](repeating: 0x61, count: 64 << 10)
            while (try? connection.write(chunk)) != nil {}
            isClosed.set()
        }
        defer { server.stop() }
        let leaf = Leaf(base: "http://127.0.0.1:\(server.port)")
        let other = try Self.text("other")
        leaf.around = { request, next in next(request).map { _ in other }.eraseToAnyPublisher() }
        #expect(try await leaf.value() == "other")
        try await isClosed.value()
    }

    @Test func `A call fails with bodyAlreadyConsumed when intercept(_:next:) has read the body`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("abc"))
        let leaf = Leaf()
        leaf.around = { request, next in
            next(request)
                .flatMap { reply in
                    reply.body.collect().map { _ in reply }
                }
                .eraseToAnyPublisher()
        }
        #expect(await Self.failure(of: leaf, in: stubs) == .bodyAlreadyConsumed)
    }

    @Test func `A call whose intercept(_:next:) sets a URL with a password fails and sends nothing`() async throws {
        let stubs = Stubs()
        let leaf = Leaf()
        leaf.around = { request, next in
            var request = request
            request.url = URL(string: "http://user:secret@api.example/")
            return next(request)
        }
        #expect(await Self.failure(of: leaf, in: stubs) != nil)
        #expect(stubs.calls.isEmpty)
    }

    @Test
    func `After status 401, intercept(_:next:) runs again for the attempt with the refreshed token`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(401), .text("ok"))
        let leaf = Leaf()
        leaf.authorization = .tokens(TokenSource(Token("old")) { _ in Token("new") })
        let seen = Locked<[String?]>([])
        leaf.around = { request, next in
            seen.withLock { $0.append(request.value(forHTTPHeaderField: "Authorization")) }
            return next(request)
        }
        let text = try await stubs.run { try await Trace.$id.withValue("a") { try await leaf.value() } }
        #expect(text == "ok")
        #expect(seen.withLock { $0 } == ["Bearer old", "Bearer new"])
        #expect(leaf.order.withLock { $0.allSatisfy { $0.hasSuffix("a") } })
    }

    @Test func `Canceling a call while its body arrives closes the connection`() async throws {
        let (began, isClosed) = (Later<Void>(), Later<Void>())
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 30000000\r\n\r\nabc")
            began.set()
            while let bytes = try? connection.read(before: .now + .seconds(600)), !bytes.isEmpty {}
            isClosed.set()
        }
        defer { server.stop() }
        let leaf = Leaf(base: "http://127.0.0.1:\(server.port)")
        let outcome = Outcome<String, any Error>()
        let subscription = outcome.subscribe(to: leaf.start())
        try await began.value()
        try await leaf.head.value()
        subscription.cancel()
        try await isClosed.value()
        #expect(outcome.completion == nil)
    }
}
