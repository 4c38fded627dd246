import APIBaseStubs
import LoopbackServer
import Basics
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct AnswerTests {
    private func outcome(
        _ answer: StubAnswer,
        clock: StubClock = .immediate,
        _ change: (Call) -> Void = { _ in }
    ) async -> Result<String, TransportError.Reason>? {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(answer)
        let call = Call()
        change(call)
        call.session = stubs
        return await call.outcome()
    }

    @Test func `A call stubbed with an HTTPURLResponse returns the same response object and data`() async throws {
        let url = try #require(URL(string: "https://other.example/"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 418, httpVersion: nil, headerFields: ["X-A": "1"])
        )
        let stubs = Stubs()
        stubs.on().answer(.response(response, data: Data("body".utf8)))
        let call = Call()
        call.session = stubs
        let value = try await call.value()
        #expect(value.response === response)
        #expect(value.data == Data("body".utf8))
    }

    @Test func `A stub's JSON answer has the JSON content type unless a header sets another type`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/text").answer(.json("[1]", status: 201, headers: ["X-A": "1"]))
        stubs.on(.get, "/value").answer(.json(["a": 1], headers: ["content-type": "application/problem+json"]))
        stubs.on(.get, "/plain").answer(.text("hi"))
        try await stubs.run {
            let text = try await Call(.get, "/text").value()
            #expect(text.response.statusCode == 201)
            #expect(text.response.value(forHTTPHeaderField: "Content-Type") == "application/json")
            #expect(text.response.value(forHTTPHeaderField: "X-A") == "1")
            let value = try await Call(.get, "/value").value()
            #expect(value.data == Data(#"{"a":1}"#.utf8))
            #expect(value.response.value(forHTTPHeaderField: "Content-Type") == "application/problem+json")
            #expect(await Call(.get, "/plain").outcome() == .success("hi"))
        }
    }

    @Test
    func `A stub's file answer reads the file when it is made; a missing file fails the call with CocoaError`()
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data("[]".utf8).write(to: file)
        let answer = StubAnswer.file(file)
        try FileManager.default.removeItem(at: file)
        #expect(await outcome(answer) == .success("[]"))
        let stubs = Stubs()
        stubs.on().answer(.file(file))
        let call = Call()
        call.session = stubs
        await #expect(throws: CocoaError.self) { try await call.value() }
    }

    @Test func `A stub with an error makes the call throw the same error`() async {
        struct Own: Error, Equatable {}
        let stubs = Stubs()
        stubs.on().answer(.error(Own()))
        await #expect(throws: Own()) {
            try await stubs.run { _ = try await Call().value() }
        }
    }

    @Test(arguments: [
        (StubFault.connectionRefused, TransportError.Reason.cannotConnect, TransportError.Phase.connect),
        (.hostNotFound, .hostNotFound, .connect), (.tls, .tls, .connect), (.connectionLost, .connectionLost, .head),
        (.malformedResponse, .malformedResponse, .head),
    ])
    func `A stubbed network fault fails the call with the TransportError reason and phase of the real one`(
        fault: StubFault,
        reason: TransportError.Reason,
        phase: TransportError.Phase
    ) async {
        let stubs = Stubs()
        stubs.on().answer(.fault(fault))
        let call = Call()
        call.session = stubs
        await #expect { try await call.value() } throws: { error in
            guard let error = error as? TransportError else { return false }
            return error.reason == reason && error.phase == phase
        }
    }

    @Test(
        arguments: [
            (StubAnswer.Cut.beforeHead, TransportError.Phase.head, 0), (.afterHead, .body, 0),
            (.afterBytes(3), .body, 3),
            (.afterBytes(99), .body, 5), (.afterBytes(-1), .body, 0),
        ] as [(StubAnswer.Cut, TransportError.Phase, Int64)]
    )
    func `A stubbed response that is broken off fails with connectionLost after the given bytes`(
        cut: StubAnswer.Cut,
        phase: TransportError.Phase,
        bytes: Int64
    ) async {
        let stubs = Stubs()
        stubs.on().answer(.text("12345").broken(off: cut))
        let call = Call()
        call.session = stubs
        await #expect { try await call.value() } throws: { error in
            guard let error = error as? TransportError else { return false }
            return error.reason == .connectionLost && error.phase == phase
        }
        #expect(call.downloadProgress.received == bytes)
    }

    @Test
    func `A stubbed answer that is later than a timeout fails with timedOut at once on an immediate clock`() async {
        let late = StubAnswer.text("late").delayed(by: .seconds(31))
        #expect(
            await outcome(late) { $0.timeout = .seconds(30) } == .failure(.timedOut(which: .total, after: .seconds(30)))
        )
        #expect(await outcome(late) { $0.timeout = .seconds(31.5) } == .success("late"))
        #expect(
            await outcome(late) { $0.limits.idle = .seconds(5) }
                == .failure(.timedOut(which: .idle, after: .seconds(5)))
        )
        #expect(
            await outcome(.never) { $0.timeout = .seconds(9) } == .failure(.timedOut(which: .total, after: .seconds(9)))
        )
    }

    @Test func `The timeout of an answer that never comes names the manual clock, and that of a late one does not`()
        async
    {
        for (answer, names) in [
            (StubAnswer.never, true), (.fault(.tls).delayed(by: .never), true),
            (.text("late").delayed(by: .seconds(99)), false),
        ] {
            let stubs = Stubs()
            stubs.on().answer(answer)
            let call = Call()
            call.session = stubs
            let error = await #expect(throws: TransportError.self) { try await call.value() }
            #expect(error?.localizedDescription.contains("Stubs(clock: .manual())") == names)
        }
    }

    @Test func `Slow chunks of a stubbed answer exceed the total timeout but not the idle timeout`() async {
        let slow = StubAnswer.text("0123456789").inChunks(of: 1, every: .seconds(4))
        #expect(await outcome(slow) { $0.limits.idle = .seconds(5) } == .success("0123456789"))
        #expect(
            await outcome(slow) { $0.timeout = .seconds(39) } == .failure(.timedOut(which: .total, after: .seconds(39)))
        )
    }

    @Test func `A stubbed answer in 15,000 delayed chunks arrives without a stack overflow`() async {
        let text = String(repeating: "x", count: 60_000)
        #expect(
            await outcome(.text(text).inChunks(of: 4, every: .milliseconds(1))) { $0.timeout = .seconds(900) }
                == .success(text)
        )
    }

    @Test func `Upload and download progress of a stubbed call end at the sizes of its bodies`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("12345").inChunks(of: 2))
        let call = Call(.post, "/")
        call.body = Data(repeating: 1, count: 200_000)
        call.session = stubs
        let (up, down) = (Locked<[Int64]>([]), Locked<[Int64]>([]))
        let watches = [
            call.$uploadProgress.sink { value in up.withLock { $0.append(value.sent) } },
            call.$downloadProgress.sink { value in down.withLock { $0.append(value.received) } },
        ]
        _ = try await call.value()
        #expect(up.withLock { $0.last } == 200_000)
        // Where progress is published on a queue, values that the queue has no time for are skipped.
        let counts = down.withLock { $0 }
        #expect(counts.last == 5 && counts == counts.sorted() && Set(counts).isSubset(of: [0, 2, 4, 5]))
        #expect(watches.count == 2)
    }

    @Test func `A delayed stubbed answer arrives only when the manual clock is advanced by its delay`() async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on(.get, "/slow").answer(.text("slow").delayed(by: .seconds(10)))
        stubs.on(.get, "/quick").answer(.text("quick").delayed(by: .seconds(3)))
        let order = Locked<[String]>([])
        let (arrivals, arrived) = AsyncStream.makeStream(of: String.self)
        let calls = [Call(.get, "/slow"), Call(.get, "/quick")]
        let subscriptions = calls.map { call in
            call.session = stubs
            return call.start().sink { _ in
            } receiveValue: { value in
                let text = String(decoding: value.data, as: UTF8.self)
                order.withLock { $0.append(text) }
                arrived.yield(text)
            }
        }
        var iterator = arrivals.makeAsyncIterator()
        #expect(clock.waits == 2)
        clock.advance(by: .seconds(2))
        #expect(clock.waits == 2)
        clock.advance(by: .seconds(1))
        #expect(await iterator.next() == "quick")
        clock.advance(by: .seconds(7))
        #expect(await iterator.next() == "slow")
        #expect(clock.now == .seconds(10))
        #expect(clock.waits == 0)
        #expect(subscriptions.count == 2)
    }

    @Test func `A manual StubClock only moves forward when eight threads advance it concurrently`() async {
        let clock = StubClock.manual()
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "clock").async {
                DispatchQueue.concurrentPerform(iterations: 8) { _ in
                    for _ in 0..<2_000 {
                        let before = clock.now
                        clock.advance(by: .milliseconds(1))
                        #expect(clock.now > before)
                    }
                }
                continuation.resume()
            }
        }
    }

    @Test func `A call that is canceled while its stubbed answer is delayed throws CancellationError`() async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("late").delayed(by: .seconds(1)))
        let call = Call()
        call.session = stubs
        let task = Task { try await call.value() }
        await clock.settled()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await holds { clock.waits == 0 })
        #expect(stubs.calls.count == 1)
    }

    @Test func `Random failures of a stub are the same for the same seed and differ for another seed`() async {
        func run(seed: UInt64) async -> [Bool] {
            let stubs = Stubs()
            stubs.on().answer(.text("ok").failing(with: .connectionLost, rate: 0.3, seed: seed))
            var outcomes: [Bool] = []
            for _ in 0..<100 {
                let call = Call()
                call.session = stubs
                outcomes.append(await call.outcome() == .success("ok"))
            }
            return outcomes
        }
        let first = await run(seed: 1)
        #expect(await run(seed: 1) == first)
        #expect(await run(seed: 2) != first)
        #expect((50..<90).contains(first.count { $0 }))
    }

    /// An answer that a function makes for each call uses the random numbers of the stub as well.
    @Test(arguments: [false, true])
    func `Random failures of a stub vary from call to call when a closure makes each answer`(isAsync: Bool) async {
        let stubs = Stubs()
        let stub = stubs.on()
        if isAsync {
            stub.answer { _, _ in .text("ok").failing(with: .connectionLost, rate: 0.5, seed: 3) }
        } else {
            stub.answer { _ in .text("ok").failing(with: .connectionLost, rate: 0.5, seed: 3) }
        }
        var outcomes: [Bool] = []
        for _ in 0..<60 {
            let call = Call()
            call.session = stubs
            outcomes.append(await call.outcome() == .success("ok"))
        }
        #expect((10..<50).contains(outcomes.count { $0 }))
    }

    @Test(arguments: [
        StubDelay.uniform(.seconds(1)...(.seconds(3)), seed: 7), .logNormal(median: .seconds(2), sigma: 0.5, seed: 7),
    ])
    func `Random delays of a stub are spread around their median`(delay: StubDelay) async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("ok").delayed(by: delay))
        let done = Locked(0)
        let subscriptions = (0..<200).map { _ in
            let call = Call()
            call.session = stubs
            call.timeout = .seconds(3_600)
            call.limits.idle = nil
            return call.start().sink { _ in
            } receiveValue: { _ in
                done.withLock { $0 += 1 }
            }
        }
        clock.advance(by: .seconds(2))
        let waiting = clock.waits
        #expect((60..<140).contains(waiting), "\(waiting) of 200 wait for longer than the median")
        clock.advance(by: .seconds(3_000))
        #expect(clock.waits == 0)
        // The values come on queues of the calls.
        #expect(try await holds { done.withLock { $0 } == 200 })
        #expect(subscriptions.count == 200)
    }

    @Test func `A stubbed redirect is followed to another stub`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/old").answer(.status(302, headers: ["Location": "/v1/new"]))
        stubs.on(.get, "/new").answer(.text("new"))
        try await stubs.run {
            #expect(await Call(.get, "/old").outcome() == .success("new"))
        }
        #expect(stubs.calls.map(\.path) == ["/v1/old", "/v1/new"])
    }

    @Test func `A stub's answer to a HEAD request has no body`() async throws {
        let stubs = Stubs()
        stubs.on(.head).answer(.text("12345"))
        try await stubs.run {
            let value = try await Call(.head, "/").value()
            #expect(value.data.isEmpty)
        }
    }

    /// A call that is passed through uses its own session: the default one, or a `URLSession`.
    @Test(arguments: [false, true])
    func `A call that a stub passes through gets the real server's response, which the stub can change`(
        byURLSession: Bool
    )
        async throws
    {
        let server = try HTTPServer { request in
            .text("\(request.path) \(String(decoding: request.body, as: UTF8.self))")
        }
        defer { server.stop() }
        let base = "http://127.0.0.1:\(server.port)"
        func call(_ method: HTTPMethod, _ path: String) -> Call {
            let call = Call(method, path, base: base)
            if byURLSession { call.session = URLSession(configuration: .ephemeral) }
            return call
        }
        let stubs = Stubs()
        stubs.on(.post, "/through").answer(.passThrough)
        stubs.on(.get, "/patched").answer { _, next in
            var reply = try await next()
            reply.statusCode = 299
            reply.data += Data("patched".utf8)
            return .reply(reply)
        }
        stubs.on(.get, "/failing").answer { _, _ in throw URLError(.cancelled) }
        try await stubs.run {
            let through = call(.post, "/through")
            through.bodyStream = (InputStream(data: Data("body".utf8)), 4)
            #expect(await through.outcome() == .success("/through body"))
            let patched = try await call(.get, "/patched").value()
            #expect(patched.response.statusCode == 299)
            #expect(patched.data == Data("/patched patched".utf8))
            await #expect(throws: URLError.self) { try await call(.get, "/failing").value() }
        }
        #expect(stubs.calls.map(\.body) == [Data("body".utf8), Data(), Data()])
    }
}
