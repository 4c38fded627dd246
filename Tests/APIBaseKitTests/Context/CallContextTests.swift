import APIBaseKit
import Basics
import HostileServer
import TestTiers
import Testing

private enum Trace {
    @TaskLocal static var id = "none"
}

/// A leaf that sends the trace of the code that builds it.
private final class TracedRequest: APIBase, Request {
    let traces = Locked<[String]>([])

    override init() {
        super.init()
        baseURL = URL(string: "http://api.example")
        dataTaskPublisher = stub(error: URLError(.timedOut))
    }

    override func buildURLRequest() throws -> URLRequest {
        traces.withLock { $0.append(Trace.id) }
        headers["X-Trace"] = Trace.id
        return try super.buildURLRequest()
    }

    func start() -> AnyPublisher<Void, any Error> { sendRequest().map { _ in }.eraseToAnyPublisher() }
}

@Suite(.tags(.concurrent), .limited) struct CallContextTests {
    @Test func `Every attempt of a call sees the task locals of the call's start`() async throws {
        let request = TracedRequest()
        let publisher = Trace.$id.withValue("a") { request.start() }
        let queue = DispatchQueue(label: "attempts")
        // On another thread, and in another task with locals of its own.
        let failed: AnyPublisher<Void, any Error> =
            publisher
            .catch { _ in publisher.subscribe(on: queue) }
            .catch { _ in publisher.subscribe(on: queue).retry(2) }
            .eraseToAnyPublisher()
        await Trace.$id.withValue("b") {
            await #expect(throws: URLError.self) { for try await _ in failed.values {} }
            #expect(Trace.id == "b")
        }
        #expect(request.traces.withLock { $0 } == ["a", "a", "a", "a", "a"])
        #expect(request.request?.value(forHTTPHeaderField: "X-Trace") == "a")
    }

    @Test func `Concurrent calls each keep their own task locals in all attempts`() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await Trace.$id.withValue("\(number)") {
                        let request = TracedRequest()
                        let publisher = request.start().subscribe(on: DispatchQueue.global()).retry(3)
                        await #expect(throws: URLError.self) { for try await _ in publisher.values {} }
                        #expect(request.traces.withLock { $0 } == Array(repeating: "\(number)", count: 4))
                    }
                }
            }
        }
    }

    @Test func `A call's publisher keeps the task locals of its start when many threads subscribe to it`() {
        let request = TracedRequest()
        nonisolated(unsafe) let publisher = Trace.$id.withValue("a") { request.start() }
        DispatchQueue.concurrentPerform(iterations: 400) { _ in _ = outcome(of: publisher) }
        #expect(request.traces.withLock { $0 } == Array(repeating: "a", count: 400))
    }

    @Test func `A call made while another builds its URLRequest does not change the task locals of that one`() throws {
        final class Outer: APIBase {
            let inner = TracedRequest()
            override func buildURLRequest() throws -> URLRequest {
                _ = outcome(of: Trace.$id.withValue("inner") { inner.start() })
                headers["X-Trace"] = Trace.id
                return try super.buildURLRequest()
            }
        }
        let outer = Outer()
        outer.baseURL = URL(string: "http://api.example")
        outer.dataTaskPublisher = outer.stub(error: URLError(.timedOut))
        _ = outcome(of: Trace.$id.withValue("outer") { outer.sendRequest() })
        #expect(outer.inner.traces.withLock { $0 } == ["inner"])
        #expect(outer.request?.value(forHTTPHeaderField: "X-Trace") == "outer")
    }

    @Test
    func `A call's publisher keeps the task locals of its start when its own code subscribes to it again`() throws {
        final class Nested: APIBase {
            var again: AnyPublisher<DataResponseTuple, any Error>?
            let traces = Locked<[String]>([])
            override func buildURLRequest() throws -> URLRequest {
                traces.withLock { $0.append(Trace.id) }
                if let again = again.take() { _ = Trace.$id.withValue("b") { outcome(of: again) } }
                traces.withLock { $0.append(Trace.id) }
                return try super.buildURLRequest()
            }
        }
        let nested = Nested()
        nested.baseURL = URL(string: "http://api.example")
        nested.dataTaskPublisher = nested.stub(error: URLError(.timedOut))
        let publisher = Trace.$id.withValue("a") { nested.sendRequest() }
        nested.again = publisher
        _ = outcome(of: publisher)
        #expect(nested.traces.withLock { $0 } == ["a", "a", "a", "a"])
        _ = outcome(of: publisher)
        #expect(nested.traces.withLock { $0 }.suffix(2) == ["a", "a"])
    }

    @Test func `A call's publisher that nothing subscribes to releases its task locals`() {
        final class Held: Sendable {}
        enum Holder { @TaskLocal static var held: Held? }
        weak var held: Held?
        do {
            let value = Held()
            held = value
            _ = Holder.$held.withValue(value) { TracedRequest().start() }
        }
        #expect(held == nil)
    }

    /// Not even the list of running calls, which another test may look through at this moment.
    @Test func `A call that has ended releases its task locals`() async throws {
        final class Held: Sendable {}
        enum Holder { @TaskLocal static var held: Held? }
        func call() -> @Sendable () -> Bool {
            let value = Held()
            _ = Holder.$held.withValue(value) { outcome(of: TracedRequest().start().retry(2)) }
            return { [weak value] in value != nil }
        }
        let isHeld = call()
        #expect(try await holds { !isHeld() })
    }
}
