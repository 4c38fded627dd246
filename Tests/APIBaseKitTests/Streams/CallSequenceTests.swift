import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HTTPTransport
import HostileServer
import TestTiers
import Testing

private final class NumbersRequest: JSONAPI, LinkPagedRequest {
    typealias ModelType = [Int]

    init(_ face: Face, at base: URL?) {
        super.init(.get("/numbers"))
        baseURL = base
        headers["X-Face"] = face.rawValue
    }
}

/// The loops over what calls deliver. Each gives the numbers 1 to 5.
private enum Face: String, CaseIterable, Sendable {
    case pages, elements, events, lines

    /// Loops over the numbers until `body` returns false.
    nonisolated(nonsending) func loop(_ request: NumbersRequest, _ body: (Int) async throws -> Bool) async throws {
        switch self {
        case .pages: for try await page in request.eachPage() { if try await !body(page[0]) { break } }
        case .elements: for try await number in request.eachElement() { if try await !body(number) { break } }
        case .events: for try await event in request.eachEvent() { if try await !body(Int(event.data) ?? 0) { break } }
        case .lines: for try await line in request.eachLine() { if try await !body(Int(line) ?? 0) { break } }
        }
    }
}

/// A server of the numbers, which may stop or fail after some of them.
private final class NumbersServer: Sendable {
    enum Trouble: Sendable { case none, silence, failure }

    let url: URL
    let requests: Locked<Int>
    /// Set when the connection on which the server was silent has been closed.
    let isClosed = Later<Void>()
    /// Signaled by a test that has the values before the failure.
    let proceed = DispatchSemaphore(value: 0)
    private let server: HTTPServer

    init(_ trouble: Trouble = .none, after count: Int = .max) throws {
        let (requests, isClosed, proceed) = (Locked(0), isClosed, proceed)
        self.requests = requests
        server = try HTTPServer { request in
            let number = requests.withLock {
                $0 += 1; return $0
            }
            let face = request.headers["X-Face"].flatMap { Face(rawValue: $0) } ?? .pages
            let silence: @Sendable ((Data) throws -> Void) throws -> Void = { write in
                defer { isClosed.set() }
                while true {
                    try write(Data((face == .events ? ":\n" : " ").utf8))
                    Thread.sleep(forTimeInterval: 0.005)
                }
            }
            if face == .pages || face == .elements {
                var fields = HTTPFields(["Content-Type": "application/json"])
                if number < 5 { fields.add("Link", "<?page=\(number + 1)>; rel=next") }
                guard number > count else {
                    return ServerResponse(headers: fields, body: .data(Data("[\(number)]".utf8)))
                }
                return trouble == .failure
                    ? ServerResponse(status: 500) : ServerResponse(headers: fields, body: .stream(silence))
            }
            guard number == 1 else { return ServerResponse(status: trouble == .failure ? 500 : 204) }
            let type = face == .events ? "text/event-stream" : "text/plain"
            return ServerResponse(
                headers: HTTPFields(["Content-Type": type]),
                body: .stream { write in
                    for number in 1...5 {
                        if number > count {
                            if trouble == .silence { try silence(write) }
                            _ = proceed.wait(timeout: .now() + 60)
                            throw POSIXError(.EIO)
                        }
                        try write(Data((face == .events ? "retry: 100\ndata: \(number)\n\n" : "\(number)\n").utf8))
                    }
                }
            )
        }
        url = server.url
    }

    deinit { server.stop() }

    func request(_ face: Face) -> NumbersRequest {
        let request = NumbersRequest(face, at: url)
        request.session = EverySession.current
        return request
    }
}

@Suite(.tags(.concurrent), .everySession, .limited) struct CallSequenceNetworkTests {
    @Test(arguments: Face.allCases)
    private
        func `A for-await loop over pages, elements, events or lines of a real server gets all values in order`(
            face: Face
        )
        async throws
    {
        let server = try NumbersServer()
        var numbers: [Int] = []
        try await face.loop(server.request(face)) {
            numbers.append($0)
            return true
        }
        #expect(numbers == [1, 2, 3, 4, 5])
    }

    @Test(arguments: Face.allCases)
    private
        func `A for-await loop over a call in a canceled task throws CancellationError and sends no request`(face: Face)
        async throws
    {
        let server = try NumbersServer()
        let session = EverySession.current
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let request = NumbersRequest(face, at: server.url)
            request.session = session
            try await face.loop(request) { _ in true }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.withLock { $0 } == 0)
    }

    @Test(arguments: Face.allCases)
    private
        func `Canceling a task inside a for-await loop throws CancellationError and closes the connection`(face: Face)
        async throws
    {
        let server = try NumbersServer(.silence, after: 2)
        let session = EverySession.current
        let numbers = Locked<[Int]>([])
        let task = Task {
            let request = NumbersRequest(face, at: server.url)
            request.session = session
            try await face.loop(request) { number in
                numbers.withLock { $0.append(number) }
                return true
            }
        }
        #expect(try await holds { numbers.withLock { $0 } == [1, 2] })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The silent page may not have been requested yet.
        if face == .events || face == .lines { try await server.isClosed.value() }
    }

    @Test(arguments: Face.allCases)
    private
        func `Canceling a task at the last value of a for-await loop over a call throws CancellationError`(face: Face)
        async throws
    {
        let server = try NumbersServer()
        let session = EverySession.current
        let task = Task {
            let request = NumbersRequest(face, at: server.url)
            request.session = session
            try await face.loop(request) { number in
                if number == 5 { withUnsafeCurrentTask { $0?.cancel() } }
                return true
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: Face.allCases)
    private
        func `Breaking out of a for-await loop closes the connection and requests no further page`(face: Face)
        async throws
    {
        let server = try NumbersServer(.silence, after: 2)
        var numbers: [Int] = []
        try await face.loop(server.request(face)) {
            numbers.append($0)
            return $0 < 2
        }
        #expect(numbers == [1, 2])
        if face == .events || face == .lines { try await server.isClosed.value() }
        // No page is read ahead.
        if face == .pages || face == .elements { #expect(server.requests.withLock { $0 } == 2) }
    }

    @Test(arguments: Face.allCases)
    private
        func `An error in the middle of a response is thrown by a for-await loop after the values before it`(face: Face)
        async throws
    {
        let server = try NumbersServer(.failure, after: 2)
        var numbers: [Int] = []
        await #expect(throws: (any Error).self) {
            try await face.loop(server.request(face)) {
                numbers.append($0)
                if $0 == 2 { server.proceed.signal() }
                return true
            }
        }
        #expect(numbers == [1, 2])
    }

    @Test func `An eachLine() iterator that has thrown the error of its call gives nil afterwards`() async throws {
        let server = try ScriptedServer(always: reply("500 Internal Server Error"))
        defer { server.stop() }
        let request = NumbersRequest(.lines, at: server.url(""))
        request.session = EverySession.current
        var iterator = request.eachLine().makeAsyncIterator()
        await #expect(throws: (any Error).self) { try await iterator.next() }
        let next = try await iterator.next()
        #expect(next == nil)
    }

    @Test
    func `The downloaded(to:) method returns its file, and throws CancellationError in a canceled task`() async throws {
        let server = try HTTPServer { _ in ServerResponse(body: .data(Data("film".utf8))) }
        defer { server.stop() }
        let request = JSONAPI(.get("/film"))
        (request.baseURL, request.session) = (server.url, EverySession.current)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let done = try await request.downloaded(to: file)
        #expect(done == file && FileManager.default.contents(atPath: file.path) == Data("film".utf8))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await JSONAPI(.get("http://localhost:1/")).downloaded(to: file)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func `Canceling a running downloaded(to:) throws CancellationError and leaves no finished file`() async throws {
        let isClosed = Later<Void>()
        let server = try HTTPServer { _ in
            ServerResponse(
                headers: HTTPFields(["ETag": "\"1\""]),
                body: .stream { write in
                    defer { isClosed.set() }
                    while true { try write(Data(count: 1_000)); Thread.sleep(forTimeInterval: 0.002) }
                }
            )
        }
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let partial = file.appendingPathExtension("partial")
        let session = EverySession.current
        let url = server.url
        let task = Task {
            let request = JSONAPI(.get("/film"))
            (request.baseURL, request.session) = (url, session)
            return try await request.downloaded(to: file)
        }
        #expect(try await holds { (try? partial.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) ?? 0 > 0 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await isClosed.value()
        #expect(!FileManager.default.fileExists(atPath: file.path))
        for name in ["partial", "partial-info"] {
            try? FileManager.default.removeItem(at: file.appendingPathExtension(name))
        }
    }
}

@Suite(.tags(.concurrent), .limited) struct CallSequenceTests {
    private func stubs(_ face: Face) -> Stubs {
        let stubs = Stubs()
        let stub = stubs.on(.get, "/numbers").optional()
        switch face {
        case .pages, .elements:
            stub.answer { call in
                let page = call.queryItem("page").flatMap { Int($0) } ?? 1
                return .json("[\(page)]", headers: page < 5 ? ["Link": "<?page=\(page + 1)>; rel=next"] : [:])
            }
        case .events:
            let events = (1...5).map { "data: \($0)\n\n" }.joined()
            stub.answer(inOrder: .text(events, headers: ["Content-Type": "text/event-stream"]), .status(204))
        case .lines: stub.answer(.text("1\n2\n3\n4\n5"))
        }
        return stubs
    }

    @Test(arguments: Face.allCases)
    private
        func `A for-await loop over pages, elements, events or lines of stubs gets all values in order`(face: Face)
        async throws
    {
        try await stubs(face).run {
            var numbers: [Int] = []
            let request = NumbersRequest(face, at: URL(string: "http://api.example"))
            try await face.loop(request) {
                numbers.append($0)
                return true
            }
            #expect(numbers == [1, 2, 3, 4, 5])
        }
    }

    @Test(arguments: Face.allCases, [1, 3, 5])
    private
        func `Canceling a task at a value of a for-await loop over stubs throws CancellationError after it`(
            face: Face,
            at last: Int
        ) async throws
    {
        let stubs = stubs(face)
        let numbers = Locked<[Int]>([])
        try await stubs.run {
            let task = Task {
                let request = NumbersRequest(face, at: URL(string: "http://api.example"))
                try await face.loop(request) { number in
                    numbers.withLock { $0.append(number) }
                    if number == last { withUnsafeCurrentTask { $0?.cancel() } }
                    return true
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(numbers.withLock { $0 } == Array(1...last))
    }

    @Test
    func `A request's response property has the headers of the current page in an eachPage() loop`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/numbers").answer { call in
            let page = call.queryItem("page").flatMap { Int($0) } ?? 1
            let link = page < 3 ? ["Link": "<?page=\(page + 1)>; rel=next"] : [:]
            return .json("[\(page)]", headers: HTTPHeaders(link.merging(["X-Total-Count": "\(page * 10)"]) { $1 }))
        }
        try await stubs.run {
            let list = NumbersRequest(.pages, at: URL(string: "http://api.example"))
            var totals: [String] = []
            for try await _ in list.eachPage() {
                totals.append(list.response?.value(forHTTPHeaderField: "X-Total-Count") ?? "")
            }
            #expect(totals == ["10", "20", "30"])
            #expect(stubs.calls.count == 3)
            for try await page in list.eachPage(atMost: 2) { #expect(page[0] < 3) }
            #expect(stubs.calls.count == 5)
        }
    }

    /// Each value is requested when the loop asks for it.
    @Test func `A CallSequence requests each value only when the loop asks for it`() async throws {
        let requested = Locked(0)
        let source = (1...5).publisher.setFailureType(to: (any Error).self)
            .handleEvents(receiveRequest: { demand in requested.withLock { $0 += demand.max ?? 1_000 } })
        var seen = 0
        for try await number in CallSequence(source) {
            seen += 1
            #expect(number == seen && requested.withLock { $0 } == seen)
        }
        #expect(seen == 5)
    }

    @Test func `Breaking out of a CallSequence loop cancels its publisher`() async throws {
        let isCanceled = Locked(false)
        let source = (1...5).publisher.handleEvents(receiveCancel: { isCanceled.withLock { $0 = true } })
        for try await number in CallSequence(source) where number == 2 { break }
        #expect(isCanceled.withLock { $0 })
    }

    @MainActor private final class Screen {
        var numbers: [Int] = []

        func load(_ face: Face) async throws {
            let request = NumbersRequest(face, at: URL(string: "http://api.example"))
            try await face.loop(request) {
                numbers.append($0)
                return true
            }
        }
    }

    @MainActor @Test(arguments: Face.allCases)
    private func `A MainActor method can add the values of a for-await loop over a call to its own state`(face: Face)
        async throws
    {
        try await stubs(face).run {
            let screen = Screen()
            try await screen.load(face)
            #expect(screen.numbers == [1, 2, 3, 4, 5])
        }
    }

    // MARK: Several at a time

    @Test(arguments: [1, 2, 3, 8])
    func `A concurrentMap(atMost:) keeps the order and runs as many transforms at once as its limit`(limit: Int)
        async throws
    {
        try await stubs(.elements).run {
            let running = Locked((now: 0, most: 0))
            let numbers = NumbersRequest(.elements, at: URL(string: "http://api.example")).eachElement()
            var results: [Int] = []
            let doubled = numbers.concurrentMap(atMost: limit) { number in
                running.withLock {
                    $0.now += 1; $0.most = max($0.most, $0.now)
                }
                defer { running.withLock { $0.now -= 1 } }
                // Until as many run as may, or all five.
                _ = try await holds { running.withLock { $0.most } >= min(limit, 5) }
                // The first of them take longest.
                for _ in number..<50 { await Task.yield() }
                return 2 * number
            }
            for try await number in doubled { results.append(number) }
            #expect(results == [2, 4, 6, 8, 10])
            #expect(running.withLock { $0.most } == min(limit, 5))
        }
    }

    /// The first result comes before another value does.
    @Test func `A concurrentMap loop gets a result before its source sends the next value`() async throws {
        let first = Just(1).setFailureType(to: (any Error).self)
        let numbers = first.append(Empty(completeImmediately: false))
        for try await result in CallSequence(numbers).concurrentMap(atMost: 4, { 2 * $0 }) {
            #expect(result == 2)
            break
        }
    }

    @Test
    func `A concurrentMap loop gets the results of all values before its source's error is thrown`() async throws {
        let numbers = (1...3).publisher.setFailureType(to: (any Error).self)
            .append(Fail<Int, any Error>(error: POSIXError(.EIO)))
        var results: [Int] = []
        await #expect(throws: POSIXError.self) {
            for try await result in CallSequence(numbers).concurrentMap(atMost: 8, { $0 }) { results.append(result) }
        }
        #expect(results == [1, 2, 3])
    }

    @Test func `An error in a concurrentMap transform cancels the other running transforms`() async throws {
        struct Refused: Error {}
        let (started, ends) = (Locked(0), Locked<[Bool]>([]))
        let results = CallSequence((1...4).publisher).concurrentMap(atMost: 4) { number in
            if number == 1 {
                // Not before the others run.
                _ = try await holds { started.withLock { $0 } == 3 }
                throw Refused()
            }
            started.withLock { $0 += 1 }
            try? await Task.sleep(for: .seconds(3_600))
            ends.withLock { $0.append(Task.isCancelled) }
        }
        await #expect(throws: Refused.self) { for try await _ in results {} }
        #expect(try await holds { ends.withLock { $0 } == [true, true, true] })
    }

    @Test func `Canceling the task of a concurrentMap loop cancels all running transforms`() async throws {
        let (started, ends) = (Locked(0), Locked<[Bool]>([]))
        let task = Task {
            let results = CallSequence((1...4).publisher).concurrentMap(atMost: 3) { _ in
                started.withLock { $0 += 1 }
                try? await Task.sleep(for: .seconds(3_600))
                ends.withLock { $0.append(Task.isCancelled) }
                try Task.checkCancellation()
            }
            for try await _ in results {}
        }
        #expect(try await holds { started.withLock { $0 } == 3 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await holds { ends.withLock { $0 } == [true, true, true] })
    }
}
