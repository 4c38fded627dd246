import PortableCombine

extension OperatorCase {
    /// Operators of several publishers, of time, and of sharing.
    static let joining: [OperatorCase] = [
        OperatorCase(name: "merge", describes: "Merge", isFirst: true) { erased($0.merge(with: silence)) },
        OperatorCase(name: "merge many", describes: "Merge", isFirst: true) {
            erased(Publishers.MergeMany([silence.eraseToAnyPublisher(), $0, silence.eraseToAnyPublisher()]))
        },
        OperatorCase(name: "zip", describes: "Zip") { erased($0.zip(zeros) { $0 + $1 }) },
        OperatorCase(name: "zip of four", describes: "Zip") {
            erased($0.zip(zeros, zeros, zeros) { $0 + $1 + $2 + $3 })
        },
        OperatorCase(name: "switchToLatest", describes: "SwitchToLatest", gathers: true, isFirst: true) {
            erased($0.map { Just($0).setFailureType(to: (any Error).self) }.switchToLatest())
        },
        OperatorCase(name: "append", describes: "Concatenate") { erased($0.append(silence)) },
        OperatorCase(name: "prepend", describes: "Concatenate", isFirst: true) { erased($0.prepend(silence)) },
        OperatorCase(name: "prefix(untilOutputFrom:)", describes: "PrefixUntilOutput") {
            erased($0.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)))
        },
        OperatorCase(name: "drop(untilOutputFrom:)", describes: "DropUntilOutput", isFirst: true) {
            erased($0.drop(untilOutputFrom: Just(1).setFailureType(to: (any Error).self)))
        },
        OperatorCase(name: "buffer by request", describes: "Buffer") {
            erased($0.buffer(size: 100_000, prefetch: .byRequest, whenFull: .dropNewest))
        },
        OperatorCase(name: "buffer kept full", describes: "Buffer", asksForLess: true) {
            erased($0.buffer(size: 3, prefetch: .keepFull, whenFull: .customError { Boom() }))
        },
        OperatorCase(name: "delay", describes: "Delay") {
            erased($0.delay(for: 0, scheduler: ImmediateScheduler.shared))
        },
        OperatorCase(name: "throttle", describes: "Throttle", gathers: true) {
            erased($0.throttle(for: 0, scheduler: ImmediateScheduler.shared, latest: true))
        },
        OperatorCase(name: "timeout", describes: "Timeout") { erased($0.timeout(1, scheduler: StillScheduler())) },
        OperatorCase(name: "collect by time", describes: "CollectByTime", gathers: true) {
            erased($0.collect(.byTime(ImmediateScheduler.shared, 0)).map(\.count))
        },
        OperatorCase(name: "share", describes: "Multicast", gathers: true, isFirst: true) { erased($0.share()) },
        OperatorCase(name: "multicast", describes: "Autoconnect", gathers: true, isFirst: true) {
            erased($0.multicast { PassthroughSubject() }.autoconnect())
        },
    ]

    private static var silence: Empty<Int, any Error> { Empty() }
    private static var zeros: Zeros { Zeros() }
}

/// As many zeros as are asked for, or, if that is everything, as many as a test can need.
private struct Zeros: Publisher {
    typealias Output = Int
    typealias Failure = any Error

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == any Error {
        subscriber.receive(subscription: Source(target: AnySubscriber(subscriber)))
    }

    private final class Source: Subscription {
        let target: AnySubscriber<Int, any Error>
        init(target: AnySubscriber<Int, any Error>) { self.target = target }

        func request(_ demand: Subscribers.Demand) {
            var left = demand.max ?? 5000
            while left > 0 { left += (target.receive(0).max ?? 0) - 1 }
        }

        func cancel() {}
    }
}

/// Runs what has no date at once, and what has one never.
struct StillScheduler: Scheduler {
    typealias SchedulerTimeType = ImmediateTime
    typealias SchedulerOptions = Never

    var now: ImmediateTime { ImmediateTime(position: 0) }
    var minimumTolerance: ImmediateTime.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

    func schedule(
        after date: ImmediateTime,
        tolerance: ImmediateTime.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) {}

    func schedule(
        after date: ImmediateTime,
        interval: ImmediateTime.Stride,
        tolerance: ImmediateTime.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        AnyCancellable {}
    }
}
