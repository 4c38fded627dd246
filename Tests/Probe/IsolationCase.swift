#if os(Linux) && !canImport(Combine)
import APIBaseKit

/// A main-actor closure of an operator, and the code that makes the operator call it.
@MainActor struct IsolationCase {
    let name: String
    /// Subscribes, delivers 1, 2 and the completion, and cancels. May be called on any thread.
    let work: () -> Void

    typealias Source = PassthroughSubject<Int, any Error>

    private init<P: Publisher>(_ name: String, fails: Bool = false, ends: Bool = true, _ build: (Source) -> P) {
        let source = Source()
        self.name = name
        work = Self.delivery(
            to: build(source),
            from: source,
            ends ? fails ? .failure(CancellationError()) : .finished : nil
        )
    }

    private init(_ name: String, work: @escaping () -> Void) { (self.name, self.work) = (name, work) }

    private nonisolated static func delivery<P: Publisher>(
        to publisher: P,
        from source: Source,
        _ end: Subscribers.Completion<any Error>?
    ) -> () -> Void {
        {
            let subscription = publisher.sink { _ in
            } receiveValue: { _ in
            }
            source.send(1)
            source.send(2)
            if let end { source.send(completion: end) }
            subscription.cancel()
        }
    }
}

extension IsolationCase {
    static var all: [IsolationCase] { passing + ending + joining + watching }

    private static func touch<Value>(_ value: Value) -> Value { Isolation.touch(value) }

    private static var passing: [IsolationCase] {
        [
            .init("map") { $0.map { touch($0) } },
            .init("tryMap") { $0.tryMap { touch($0) } },
            .init("mapError", fails: true) { $0.mapError { touch($0) } },
            .init("compactMap") { $0.compactMap { touch($0) } },
            .init("tryCompactMap") { $0.tryCompactMap { touch($0) } },
            .init("filter") { $0.filter { touch($0) > 0 } },
            .init("tryFilter") { $0.tryFilter { touch($0) > 0 } },
            .init("scan") { $0.scan(0) { touch($0 + $1) } },
            .init("tryScan") { $0.tryScan(0) { touch($0 + $1) } },
            .init("removeDuplicates") { $0.removeDuplicates { touch($0) == $1 } },
            .init("tryRemoveDuplicates") { $0.tryRemoveDuplicates { touch($0) == $1 } },
            .init("drop(while:)") { $0.drop { touch($0) > 0 } },
            .init("tryDrop(while:)") { $0.tryDrop { touch($0) > 0 } },
            .init("prefix(while:)") { $0.prefix { touch($0) > 0 } },
            .init("tryPrefix(while:)") { $0.tryPrefix { touch($0) > 0 } },
            .init("initialiser") { Publishers.Map(upstream: $0) { touch($0) } },
        ]
    }

    private static var ending: [IsolationCase] {
        [
            .init("first(where:)") { $0.first { touch($0) > 0 } },
            .init("tryFirst(where:)") { $0.tryFirst { touch($0) > 0 } },
            .init("last(where:)") { $0.last { touch($0) > 0 } },
            .init("tryLast(where:)") { $0.tryLast { touch($0) > 0 } },
            .init("contains(where:)") { $0.contains { touch($0) > 9 } },
            .init("tryContains(where:)") { $0.tryContains { touch($0) > 9 } },
            .init("allSatisfy") { $0.allSatisfy { touch($0) > 0 } },
            .init("tryAllSatisfy") { $0.tryAllSatisfy { touch($0) > 0 } },
            .init("min(by:)") { $0.min { touch($0) < $1 } },
            .init("tryMin(by:)") { $0.tryMin { touch($0) < $1 } },
            .init("max(by:)") { $0.max { touch($0) < $1 } },
            .init("tryMax(by:)") { $0.tryMax { touch($0) < $1 } },
            .init("reduce") { $0.reduce(0) { touch($0 + $1) } },
            .init("tryReduce") { $0.tryReduce(0) { touch($0 + $1) } },
            .init("catch", fails: true) { $0.catch { _ in Just(touch(1)) } },
            .init("tryCatch", fails: true) { $0.tryCatch { _ in Just(touch(1)).setFailureType(to: (any Error).self) } },
        ]
    }

    private static var joining: [IsolationCase] {
        [
            .init("flatMap") { $0.flatMap { Just(touch($0)) } },
            .init("combineLatest") { $0.combineLatest($0) { touch($0 + $1) } },
            .init("combineLatest of three") { $0.combineLatest($0, $0) { touch($0 + $1 + $2) } },
            .init("combineLatest of four") { $0.combineLatest($0, $0, $0) { touch($0 + $1 + $2 + $3) } },
            .init("zip") { $0.zip($0) { touch($0 + $1) } },
            .init("zip of three") { $0.zip($0, $0) { touch($0 + $1 + $2) } },
            .init("zip of four") { $0.zip($0, $0, $0) { touch($0 + $1 + $2 + $3) } },
            .init("multicast") { $0.multicast { touch(Source()) } },
            .init("Deferred") { source in Deferred { touch(source) } },
            .init("buffer") {
                $0.buffer(size: 0, prefetch: .byRequest, whenFull: .customError { touch(CancellationError()) })
            },
            .init("timeout") {
                $0.timeout(0, scheduler: ImmediateScheduler.shared) { touch(CancellationError()) }
            },
        ]
    }

    private static var watching: [IsolationCase] {
        [
            .init("handleEvents, subscription") { $0.handleEvents(receiveSubscription: { _ = touch($0) }) },
            .init("handleEvents, value") { $0.handleEvents(receiveOutput: { _ = touch($0) }) },
            .init("handleEvents, completion") { $0.handleEvents(receiveCompletion: { _ = touch($0) }) },
            .init("handleEvents, cancel", ends: false) { $0.handleEvents(receiveCancel: { _ = touch(1) }) },
            .init("handleEvents, request") { $0.handleEvents(receiveRequest: { _ = touch($0) }) },
            .init("breakpoint, subscription") { $0.breakpoint(receiveSubscription: { _ in touch(false) }) },
            .init("breakpoint, value") { $0.breakpoint(receiveOutput: { _ in touch(false) }) },
            .init("breakpoint, completion") { $0.breakpoint(receiveCompletion: { _ in touch(false) }) },
            subscriber("sink, value") {
                $0.sink { _ in
                } receiveValue: {
                    _ = touch($0)
                }
            },
            subscriber("sink, completion") {
                $0.sink {
                    _ = touch($0)
                } receiveValue: { _ in
                }
            },
            subscriber("sink that cannot fail") { $0.assertNoFailure().sink { _ = touch($0) } },
            subscriber("Sink") {
                let sink = Subscribers.Sink<Int, any Error>(
                    receiveCompletion: { _ in },
                    receiveValue: { _ = touch($0) }
                )
                $0.subscribe(sink)
                return sink
            },
            subscriber("AnySubscriber") {
                $0.subscribe(AnySubscriber(receiveCompletion: { _ = touch($0) }))
                return AnyCancellable {}
            },
            subscriber("AnyCancellable") { _ in AnyCancellable { _ = touch(1) } },
        ]
    }

    /// A subscriber that gets its closure when it subscribes.
    private static func subscriber<C: Cancellable>(_ name: String, _ subscribe: (Source) -> C) -> IsolationCase {
        let source = Source()
        return IsolationCase(name, work: delivery(to: subscribe(source), from: source))
    }

    private nonisolated static func delivery<C: Cancellable>(to subscription: C, from source: Source) -> () -> Void {
        {
            source.send(1)
            source.send(completion: .finished)
            subscription.cancel()
        }
    }
}
#endif
