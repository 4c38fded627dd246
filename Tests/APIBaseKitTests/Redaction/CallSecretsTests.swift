import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// The secrets that an error or a log leaves out are those of its own call: of all its attempts, of the call that it
/// shares, and of no other one.
@Suite(.tags(.concurrent), .everySession, .limited) struct CallSecretsTests {
    private static let tokens = ["t1-First-Token", "t2-Second-Token"]

    /// A leaf that decodes an object.
    private final class Leaf: JSONAPI, Request, @unchecked Sendable {
        typealias ModelType = [String: Int]
        let lines = Locked("")
        var detail = CallLog.Detail.line
        /// The header of each attempt that has a secret name.
        let keys = Locked<[String]>([])

        /// Whether the object is gone.
        let isGone: Locked<Bool>

        init(_ endpoint: JSONAPI.Endpoint = .get("/x"), isGone: Locked<Bool> = Locked(false)) {
            self.isGone = isGone
            super.init(endpoint)
            baseURL = URL(string: "http://api.example")
        }

        deinit { isGone.withLock { $0 = true } }

        override func buildURLRequest() throws -> URLRequest {
            var request = try super.buildURLRequest()
            if let key = keys.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                request.setValue(key, forHTTPHeaderField: "X-Api-Key")
            }
            return request
        }

        override func report(_ event: CallEvent) {
            CallLog(detail) { [lines] text in lines.withLock { $0 += text + "\n" } }.report(event)
        }
    }

    private static func problem(_ title: String, status: Int = 403) -> StubAnswer {
        .json(#"{"title": "\#(title)"}"#, status: status, headers: ["Content-Type": "application/problem+json"])
    }

    /// Answers that repeat both tokens.
    private static let echoes: [StubAnswer] = [
        problem(tokens.joined(separator: ", ")),
        .json(#"{"\#(tokens.joined(separator: " "))": "x"}"#),
        .text("x", headers: ["Content-Type": "text/html; x=\(tokens.joined(separator: ";"))"]),
        .json("x", headers: ["Content-Encoding": tokens.joined(separator: ", ")]),
    ]

    private func expectNoToken(in text: String) {
        for token in Self.tokens { #expect(!text.localizedCaseInsensitiveContains(token), "\(text)") }
    }

    @Test(arguments: echoes, [true, false])
    func `An error does not show the secrets of earlier attempts of its call, as a token that was refused`(
        echo: StubAnswer,
        isRefreshed: Bool
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(isRefreshed ? 401 : 503), echo)
        let leaf = Leaf()
        if isRefreshed {
            let source = TokenSource(Token(Self.tokens[0]), identity: "me") { _ in Token(Self.tokens[1]) }
            leaf.authorization = .tokens(source)
        } else {
            leaf.keys.withLock { $0 = Self.tokens }
            leaf.retry = RetryPolicy(attempts: 2)
        }
        leaf.detail = .bodies(atMost: 1_000)
        let error = try await stubs.run { await #expect(throws: RequestError.self) { try await leaf.value() } }
        expectNoToken(in: try shown(#require(error)))
        expectNoToken(in: leaf.lines.withLock { $0 })
    }

    @Test(arguments: echoes)
    func `The errors of two calls of one object that run at the same time each leave out the token of their own call`(
        echo: StubAnswer
    ) async throws {
        let clock = StubClock.manual(movedWithin: .seconds(50))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(echo.delayed(by: .seconds(1)))
        let (leaf, errors) = (Leaf(), Locked<[String]>([]))
        leaf.keys.withLock { $0 = Self.tokens }
        let calls = await stubs.runUnchecked {
            Self.tokens.map { _ in
                leaf.start().sink(
                    receiveCompletion: { completion in
                        guard case .failure(let error) = completion else { return }
                        errors.withLock { $0.append(shown(error)) }
                    },
                    receiveValue: { _ in }
                )
            }
        }
        clock.advance(by: .seconds(1))
        #expect(try await holds { errors.withLock { $0.count } == 2 })
        let texts = errors.withLock { $0 }
        for token in Self.tokens { #expect(texts.contains { !$0.contains(token) }, "\(texts)") }
        withExtendedLifetime(calls) {}
    }

    @Test(arguments: echoes)
    func `The errors of calls that share one exchange do not show its credentials`(echo: StubAnswer) async throws {
        let clock = StubClock.manual(movedWithin: .seconds(50))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .status(401), echo.delayed(by: .seconds(1)))
        let source = TokenSource(Token(Self.tokens[0]), identity: "me") { _ in Token(Self.tokens[1]) }
        let errors = Locked<[String]>([])
        let calls = await stubs.runUnchecked {
            (0..<3).map { _ in
                let leaf = Leaf()
                leaf.sharing = .safeMethods
                leaf.authorization = .tokens(source)
                return leaf.start().sink(
                    receiveCompletion: { completion in
                        guard case .failure(let error) = completion else { return }
                        errors.withLock { $0.append(shown(error)) }
                    },
                    receiveValue: { _ in }
                )
            }
        }
        #expect(try await holds { clock.nextWait == .seconds(1) })
        clock.advance(by: .seconds(1))
        #expect(try await holds { errors.withLock { $0.count } == 3 })
        #expect(stubs.calls.count == 2)
        for text in errors.withLock({ $0 }) { expectNoToken(in: text) }
        withExtendedLifetime(calls) {}
    }

    @Test
    func `The error of a redirect to a host that cannot be reached does not show a token in its name`() async throws {
        let token = Self.tokens[0].lowercased()
        let server = try HTTPServer { _ in
            ServerResponse(
                status: 307,
                headers: HTTPFields(["Location": "http://\(token).localhost:1/"]),
                body: .data(Data())
            )
        }
        defer { server.stop() }
        let leaf = Leaf()
        leaf.baseURL = URL(string: "http://127.0.0.1:\(server.port)")
        leaf.session = EverySession.current
        leaf.authorization = .bearer(token)
        let error = try #require(await #expect(throws: TransportError.self) { try await leaf.value() })
        #expect(error.underlying != nil)
        expectNoToken(in: shown(error))
    }

    /// A token at the place at which a long text is cut.
    @Test(arguments: ["Content-Type": 0...1_000, "Content-Encoding": 0...40, "charset": 0...40])
    func `A long text of a server is searched for secrets before it is cut`(
        place: String,
        lengths: ClosedRange<Int>
    ) async throws {
        let stubs = Stubs()
        let token = Self.tokens[0]
        let padding = String(repeating: "x", count: lengths.upperBound - token.count / 2)
        let value = padding + token
        let answer: StubAnswer =
            switch place {
            case "charset": .text("x", headers: ["Content-Type": "text/plain; charset=\(value)"])
            case "Content-Type": .text("x", headers: ["Content-Type": value])
            default: .json("x", headers: [place: value])
            }
        stubs.on().answer(answer)
        let leaf = Leaf()
        leaf.authorization = .bearer(token)
        let text = try await stubs.run {
            await #expect(throws: RequestError.self) {
                if place == "charset" { _ = try await TextLeaf(token).value() } else { _ = try await leaf.value() }
            }
            .map { shown($0) }
        }
        #expect(try !#require(text).contains(token.prefix(6)), "\(text ?? "")")
    }

    private final class TextLeaf: JSONAPI, Request {
        typealias ModelType = String
        init(_ token: String) {
            super.init(.get("http://api.example/x"))
            authorization = .bearer(token)
        }
    }

    // MARK: Logs and events

    /// A request with a secret, a response that repeats it, and how much a log writes.
    static let logged: [(CallLog.Detail, String, StubAnswer)] = [
        // The path of the URL is one that a server may have chosen.
        (.line, "line", .json("{}")), (.headers, "headers", .json("{}")), (.bodies(atMost: 9), "bodies", .json("{}")),
        (.headers, "form", .json("{}", headers: ["X-Echo": tokens[0]])),
        (.bodies(atMost: 9), "form", .json("{}", headers: ["X-Echo": tokens[0]])),
        (.bodies(atMost: 9), "long form", .json("{}", headers: ["X-Echo": tokens[0]])),
        (.bodies(atMost: 99), "long form", .json(#"{"\#(tokens[0])": 1}"#)),
        (.headers, "response", .json(#"{"access_token": "\#(tokens[0])"}"#, headers: ["X-Echo": tokens[0]])),
        (.line, "response", problem(tokens[0], status: 401)), (.line, "long form", problem(tokens[0], status: 500)),
    ]

    @Test(arguments: logged)
    func `A CallLog shows no secret of the request or the response anywhere in the text of a call`(
        detail: CallLog.Detail,
        place: String,
        answer: StubAnswer
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(answer)
        let padding = place == "long form" ? [("a", String(repeating: "x", count: 9_000))] : []
        let leaf = place.hasSuffix("form") ? Leaf(.post("/x")) : Leaf()
        if place.hasSuffix("form") { leaf.content = .form(padding + [("password", Self.tokens[0])]) }
        if ["line", "headers", "bodies"].contains(place) {
            leaf.path = "/books/\(Self.tokens[0])"
            leaf.authorization = .bearer(Self.tokens[0])
        }
        leaf.detail = detail
        _ = try? await stubs.run { try await leaf.value() }
        let text = leaf.lines.withLock { $0 }
        #expect(text.contains("Leaf"))
        expectNoToken(in: text)
    }

    @Test
    func `The request of an event shows a secret nowhere, though it stands under another name too`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.json("{}"))
        let (requests, token) = (Locked<[URLRequest]>([]), Self.tokens[0])
        final class Watched: JSONAPI, Request {
            typealias ModelType = [String: Int]
            var requests = Locked<[URLRequest]>([])
            override func report(_ event: CallEvent) {
                if let request = event.call.request { requests.withLock { $0.append(request) } }
            }
        }
        let call = Watched(.post("/x/\(token)", json: ["note": "see \(token)"]))
        (call.baseURL, call.requests) = (URL(string: "http://api.example"), requests)
        call.headers["X-Debug"] = token
        call.authorization = .bearer(token)
        _ = try await stubs.run { try await call.value() }
        let last = try #require(requests.withLock { $0 }.last)
        let body = String(decoding: last.httpBody ?? Data(), as: UTF8.self)
        expectNoToken(in: "\(last.url?.absoluteString ?? "") \(last.allHTTPHeaderFields ?? [:]) \(body)")
        #expect(body.contains("note"))
    }

    // MARK: After the delivery

    /// A leaf that answers from what it has kept.
    private final class Kept: JSONAPI, Request {
        typealias ModelType = [Int]

        override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
            guard let url = URL(string: "http://api.example/kept"),
                let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else { return Empty().eraseToAnyPublisher() }
            return Just((Data("[7]".utf8), response)).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        }
    }

    @Test(arguments: [true, false])
    func `A receiver that cancels its call can still decode what it has kept from another`(
        hasOperators: Bool
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(.json("{}"))
        let (results, inner) = (Locked<[String]>([]), Locked<[AnyCancellable]>([]))
        let subscription = Locked<AnyCancellable?>(nil)
        await stubs.runUnchecked {
            let leaf = Leaf()
            let start = hasOperators ? leaf.start().map { $0 }.eraseToAnyPublisher() : leaf.start()
            let outer = start.sink(
                receiveCompletion: { _ in },
                receiveValue: { _ in
                    Leaf.cancelAll()
                    subscription.withLockUnchecked { $0 }?.cancel()
                    let kept = Kept().start().sink(
                        receiveCompletion: { completion in results.withLock { $0.append("\(completion)") } },
                        receiveValue: { value in results.withLock { $0.append("\(value)") } }
                    )
                    inner.withLockUnchecked { $0.append(kept) }
                }
            )
            subscription.withLockUnchecked { $0 = outer }
        }
        #expect(try await holds { results.withLock { $0.count } == 2 })
        #expect(results.withLock { $0 } == ["[7]", "finished"])
    }

    @Test func `A task that the receiver of a value starts does not hold the call`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.json("{}"))
        let (start, goOn) = AsyncStream<Void>.makeStream()
        let isGone = Locked(false)
        let (task, subscription) = await stubs.runUnchecked {
            let (task, leaf) = (Locked<Task<Void, Never>?>(nil), Leaf(isGone: isGone))
            let subscription = leaf.start().sink(
                receiveCompletion: { _ in },
                receiveValue: { _ in
                    task.withLock { $0 = Task { for await _ in start {} } }
                }
            )
            return (task, subscription)
        }
        #expect(try await holds { task.withLock { $0 } != nil })
        subscription.cancel()
        #expect(try await holds { isGone.withLock { $0 } })
        goOn.finish()
        await task.withLock { $0 }?.value
    }
}
