import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct RequestValueTests {
    /// A request whose publisher is given.
    private struct Given<Value, Failure: Error>: Request {
        let publisher: AnyPublisher<Value, Failure>
        func start() -> AnyPublisher<Value, Failure> { publisher }
    }

    private struct Refused: Error, Equatable {}

    @Test
    func `Awaiting value() returns the first value of the request's publisher and then cancels it`() async throws {
        let cancelled = Locked(false)
        let subject = CurrentValueSubject<Int, Never>(1)
        let request = Given(
            publisher: subject.handleEvents(receiveCancel: { cancelled.withLock { $0 = true } }).eraseToAnyPublisher()
        )
        #expect(try await request.value() == 1)
        #expect(cancelled.withLock { $0 })
    }

    @Test func `Awaiting value() throws the failure of the request's publisher`() async {
        let request = Given(publisher: Fail<Int, Refused>(error: Refused()).eraseToAnyPublisher())
        await #expect(throws: Refused()) { try await request.value() }
    }

    @Test func `Awaiting value() throws noValue when the request's publisher ends without a value`() async {
        let request = Given(publisher: Empty<Int, Never>().eraseToAnyPublisher())
        await #expect(throws: RequestError.noValue) { try await request.value() }
    }

    @Test
    func `Canceling a task that awaits value() cancels the publisher and throws CancellationError`() async throws {
        let events = AsyncStream<String>.makeStream()
        let request = Given(
            publisher: PassthroughSubject<Int, Never>()
                .handleEvents(
                    receiveSubscription: { _ in events.continuation.yield("subscribed") },
                    receiveCancel: { events.continuation.yield("cancelled") }
                )
                .eraseToAnyPublisher()
        )
        let box = Box(request)
        let task = Task { try await box.value.value() }
        var iterator = events.stream.makeAsyncIterator()
        #expect(await iterator.next() == "subscribed")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await iterator.next() == "cancelled")
    }

    @Test func `Awaiting value() in a canceled task does not subscribe to the request's publisher`() async {
        let subscribed = Locked(false)
        let request = Given(
            publisher: Just(1)
                .handleEvents(receiveSubscription: { _ in subscribed.withLock { $0 = true } })
                .eraseToAnyPublisher()
        )
        let box = Box(request)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await box.value.value()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!subscribed.withLock { $0 })
    }

    @Test func `A main actor class can await the value() of its request`() async throws {
        #expect(try await Model().load() == 5)
    }

    /// A leaf that notes where its replies are read.
    private final class Noting: JSONAPI, Request {
        typealias ModelType = [Int]
        let readsOnMain = Locked<Bool?>(nil)
        let wasCancelled = Locked(false)

        override init() {
            super.init(.get("/numbers"))
            baseURL = URL(string: "http://api.example")
        }

        override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
            readsOnMain.withLock { $0 = Thread.isMainThread }
            return try super.decode(type, from: data)
        }

        override func report(_ event: CallEvent) {
            if case .failed(is CancellationError, _) = event { wasCancelled.withLock { $0 = true } }
        }
    }

    @Test @MainActor func `A reply is not decoded on the main thread when the main actor awaits it`() async throws {
        let stubs = Stubs(clock: .real)
        stubs.on().answer(.json("[1, 2]").delayed(by: .milliseconds(1)))
        let leaf = Noting()
        leaf.session = stubs
        #expect(try await leaf.value() == [1, 2])
        #expect(leaf.readsOnMain.withLock { $0 } == false)
    }

    @Test func `A reply that is awaited outside of any actor is not decoded on the main thread`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .json("[1, 2]"), .json("[1, "))
        let leaf = Noting()
        leaf.session = stubs
        #expect(try await leaf.value() == [1, 2])
        #expect(leaf.readsOnMain.withLock { $0 } == false)
        await #expect(throws: RequestError.self) { try await leaf.value() }
    }

    @Test func `Canceling a task that awaits value() reports a failed event with CancellationError`() async throws {
        let stubs = Stubs(clock: .real)
        stubs.on().answer(.never)
        let leaf = Noting()
        leaf.session = stubs
        let box = Box(leaf)
        let task = Task { try await box.value.value() }
        #expect(try await holds { stubs.calls.count == 1 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let wasCancelled = leaf.wasCancelled
        #expect(try await holds { wasCancelled.withLock { $0 } })
    }

    @Test func `A thousand concurrent value() calls each return their own value unless they are canceled`() async {
        let queue = DispatchQueue(label: "values", attributes: .concurrent)
        let ends = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let source = Future<Int, Never> { promise in
                        let promise = Box(promise)
                        queue.async { promise.value(.success(number)) }
                    }
                    let box = Box(Given(publisher: source.eraseToAnyPublisher()))
                    let task = Task { try await box.value.value() }
                    let isCanceled = !number.isMultiple(of: 2)
                    if isCanceled { queue.async { task.cancel() } }
                    switch await task.result {
                    case .success(let value): return value == number
                    case .failure(let error): return isCanceled && error is CancellationError
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.count == 1_000)
        #expect(ends.allSatisfy { $0 }, "each has its value, or was canceled")
    }
}

/// A request whose value a class of the main actor asks for.
@MainActor private final class Model {
    private let call: Call = {
        let call = Call()
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data("12345".utf8))
        return call
    }()

    func load() async throws -> Int {
        try await call.value().data.count
    }
}

/// Carries what is not `Sendable` into a task. Unchecked: each test hands it over once.
private struct Box<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
