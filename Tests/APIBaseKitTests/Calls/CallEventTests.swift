import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

@Suite(.limited) struct CallEventTests {
    private enum Trace {
        @TaskLocal static var id = "none"
    }

    @Test func `A call reports each CallEvent once, also when its status code fails validation`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .text("ok"), .status(503), .fault(.connectionRefused))
        let call = WatchedCall()
        var stories: [[String]] = []
        for _ in 0..<3 {
            _ = await stubs.runUnchecked { await call.failure() }
            stories.append(call.story)
            call.events.withLock { $0 = [] }
        }
        // A validation that refuses the reply cancels upstream, and that is no event.
        #expect(stories[0] == ["began 1", "sent 1", "head 200", "ended 200"])
        #expect(stories[1] == ["began 1", "sent 1", "head 503", "ended 503"])
        #expect(stories[2] == ["began 1", "sent 1", "failed"])
    }

    @Test func `A call whose request cannot be built reports only a failed event`() async throws {
        let call = WatchedCall(base: "ftp://api.example")
        #expect(await call.failure() is RequestError)
        #expect(call.story == ["failed"])
        let info = try #require(call.timings).call
        #expect(info.method == nil)
        #expect(info.description == "WatchedCall without a request")
    }

    @Test func `Canceling a call twice reports one failed event with CancellationError`() async throws {
        let call = WatchedCall()
        let manual = Stubs(clock: .manual(movedWithin: .seconds(120)))
        manual.on().answer(.never)
        let subscription = Outcome<Int, any Error>().subscribe(to: await manual.runUnchecked { call.start() })
        #expect(try await holds { call.story == ["began 1", "sent 1"] })
        subscription.cancel()
        subscription.cancel()
        #expect(call.story == ["began 1", "sent 1", "cancelled"])
    }

    @Test func `The events of each subscription to a call have a call ID of their own`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let call = WatchedCall()
        _ = try await stubs.run {
            _ = try await call.value()
            return try await call.value()
        }
        let ids = call.events.withLock { $0.map(\.call.id) }
        #expect(Set(ids).count == 2)
        #expect(ids.prefix(4).allSatisfy { $0 == ids[0] })
        #expect(call.events.withLock { $0.allSatisfy { $0.call.type == WatchedCall.self } })
    }

    @Test func `A call whose token is refreshed after status 401 reports a refreshed event`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(401), .text("ok"))
        let call = WatchedCall()
        call.authorization = .tokens(TokenSource(Token("a")) { _ in Token("b") })
        _ = try await stubs.run { try await call.value() }
        #expect(
            call.story == ["began 1", "sent 1", "head 401", "refreshed", "sent 1", "head 200", "ended 200"]
        )
    }

    @Test func `Only the last event of each attempt has timings, which have the status code`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(503), .text("ok"), .fault(.connectionRefused))
        let call = WatchedCall()
        call.retry = .standard
        _ = try await stubs.runUnchecked { try await call.value() }
        call.retry = .none
        _ = await stubs.runUnchecked { await call.failure() }
        let statuses = call.events.withLock { $0.map { $0.timings.map { $0.statusCode ?? 0 } } }
        #expect(statuses == [nil, nil, nil, 503, nil, nil, nil, 200, nil, nil, 0])
    }

    @Test
    func `The request in a CallEvent has secret headers, query values and secret body fields redacted`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let call = WatchedCall(.post)
        call.queryItems = [URLQueryItem(name: "page", value: "4711")]
        call.authorization = .header("X-Mine", "canary")
        call.headers["X-Plain"] = "plain"
        call.contentType = "application/json"
        call.body = Data(#"{"password": "canary", "title": "plain"}"#.utf8)
        _ = try await stubs.run { try await call.value() }
        #expect(call.story == ["began 1", "sent 1", "head 200", "ended 200"])
        for event in call.events.withLock({ $0 }) {
            let request = try #require(event.call.request)
            #expect(request.url?.absoluteString == "http://api.example/x?page=redacted")
            if case .began = event {} else { #expect(request.value(forHTTPHeaderField: "X-Mine") == "REDACTED") }
            #expect(request.value(forHTTPHeaderField: "X-Plain") == "plain")
            let body = try #require(request.httpBody.map { String(decoding: $0, as: UTF8.self) })
            #expect(body == #"{"password": "REDACTED", "title": "plain"}"#)
        }
        #expect(stubs.calls[0].headers["X-Mine"] == "canary")
    }

    @Test func `The timings of an attempt that gets no reply have its TransportError`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .fault(.connectionLost), .status(503), .fault(.hostNotFound))
        let call = WatchedCall(retry: .standard)
        _ = await stubs.runUnchecked { await call.failure() }
        let reasons = call.events.withLock { $0 }.compactMap(\.timings).map { ($0.error as? TransportError)?.reason }
        #expect(reasons == [.connectionLost, nil, .hostNotFound])
    }

    @Test func `The timings of a stubbed call are measured by the clock of the stubs`() async throws {
        let stubs = Stubs()
        stubs.on().answer(
            inOrder: .status(503, headers: ["Retry-After": "5"]).delayed(by: .seconds(2)),
            .text("abcd").delayed(by: .seconds(3)).inChunks(of: 1, every: .seconds(1))
        )
        let call = WatchedCall(retry: .standard)
        #expect(try await stubs.run { try await call.value() } == 200)
        let timings = try #require(call.timings)
        #expect(timings.firstByte == .seconds(3))
        #expect(timings.transfer == .seconds(4))
        #expect(timings.whole == .seconds(2 + 5 + 3 + 4))
        #expect(timings.bytesReceived == 4)
        #expect(timings.description == "14000 ms (first byte 3000, transfer 4000)")
    }

    @Test func `A began event is reported with the task locals of the call's start`() async throws {
        final class Traced: APIBase, Request {
            let traces = Locked<[String]>([])
            func start() -> AnyPublisher<Void, any Error> { sendRequest().map { _ in }.eraseToAnyPublisher() }
            override func report(_ event: CallEvent) {
                if case .began = event { traces.withLock { $0.append(Trace.id) } }
            }
        }
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(503), .text("ok"))
        let call = Traced()
        call.baseURL = URL(string: "http://api.example")
        call.retry = .standard
        let publisher = await stubs.runUnchecked { Trace.$id.withValue("a") { call.start() } }
        let outcome = Outcome<Void, any Error>()
        let subscription = outcome.subscribe(to: publisher.subscribe(on: DispatchQueue.global()))
        #expect(try await holds { outcome.isFinished })
        subscription.cancel()
        #expect(call.traces.withLock { $0 } == ["a", "a"])
    }
}
