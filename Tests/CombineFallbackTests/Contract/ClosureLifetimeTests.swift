import PortableCombine
import Testing

/// Rule 9 for what operators hold: closures and the publishers they have subscribed to are let go of at the end, also
/// if the subscriber keeps its subscription.
@Suite struct ClosureLifetimeTests {
    final class Token: Sendable {}
    typealias Stream = AnyPublisher<Int, any Error>

    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let apply: @Sendable (Stream, Token) -> Stream
        init(_ description: String, _ apply: @escaping @Sendable (Stream, Token) -> Stream) {
            self.description = description
            self.apply = apply
        }
    }

    static let cases = [
        Case("flatMap") { up, token in
            up.flatMap { value in withExtendedLifetime(token) { [value].publisher } }.eraseToAnyPublisher()
        },
        Case("catch") { up, token in
            up.catch { error in withExtendedLifetime(token) { Fail<Int, any Error>(error: error) } }
                .eraseToAnyPublisher()
        },
        Case("tryCatch") { up, token in
            up.tryCatch { error -> Just<Int> in try withExtendedLifetime(token) { throw error } }.eraseToAnyPublisher()
        },
        Case("combineLatest") { up, token in
            up.combineLatest(other) { value, _ in withExtendedLifetime(token) { value } }.eraseToAnyPublisher()
        },
        Case("zip") { up, token in
            up.zip(other) { value, _ in withExtendedLifetime(token) { value } }.eraseToAnyPublisher()
        },
        Case("buffer") { up, token in
            up.buffer(size: 9, prefetch: .byRequest, whenFull: .customError { withExtendedLifetime(token) { Boom() } })
                .eraseToAnyPublisher()
        },
        Case("retry") { up, token in
            Deferred { withExtendedLifetime(token) { up } }.retry(0).eraseToAnyPublisher()
        },
        Case("append") { up, token in
            up.append(Deferred { withExtendedLifetime(token) { other } }).eraseToAnyPublisher()
        },
        Case("multicast") { up, token in
            up.multicast { withExtendedLifetime(token) { PassthroughSubject() } }.autoconnect().eraseToAnyPublisher()
        },
        Case("timeout") { up, token in
            up.timeout(1, scheduler: StillScheduler(), customError: { withExtendedLifetime(token) { Boom() } })
                .eraseToAnyPublisher()
        },
    ]

    static var other: Publishers.Sequence<[Int], any Error> { Publishers.Sequence(sequence: [1, 2, 3]) }

    @Test(arguments: cases, LifetimeTests.Way.allCases)
    func `A Combine operator releases its closure when the stream finishes, fails or is canceled`(
        by operation: Case,
        after way: LifetimeTests.Way
    ) {
        weak var weakToken: Token?
        let subject = PassthroughSubject<Int, any Error>()
        let tracker = TrackingSubscriber<Int, any Error>(initial: .unlimited)
        do {
            let token = Token()
            weakToken = token
            operation.apply(subject.eraseToAnyPublisher(), token).subscribe(tracker)
        }
        #expect(weakToken != nil || operation.description == "multicast")
        subject.send(1)
        switch way {
        case .finish: subject.send(completion: .finished)
        case .fail: subject.send(completion: .failure(Boom()))
        case .cancel: tracker.cancel()
        }
        #expect(weakToken == nil)
        #expect(tracker.subscription != nil)
    }

    @Test func `switchToLatest releases the previous inner publisher when a new one arrives`() {
        weak var weakInner: PassthroughSubject<Int, Never>?
        let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
        let cancellable = outer.switchToLatest().sink { _ in }
        do {
            let inner = PassthroughSubject<Int, Never>()
            weakInner = inner
            outer.send(inner.eraseToAnyPublisher())
        }
        outer.send(Empty(completeImmediately: false).eraseToAnyPublisher())
        #expect(weakInner == nil)
        cancellable.cancel()
    }
}
