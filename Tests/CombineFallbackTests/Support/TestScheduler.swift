import Basics
import PortableCombine

/// A scheduler whose time goes by when the test says so.
struct TestScheduler: Scheduler, Sendable {
    typealias SchedulerTimeType = ImmediateTime
    typealias SchedulerOptions = Never

    struct State {
        var now = 0
        var count = 0
        var jobs: [(due: Int, number: Int, action: () -> Void)] = []
    }

    let state = Locked(State())

    var now: ImmediateTime { ImmediateTime(position: state.withLock { $0.now }) }
    var minimumTolerance: ImmediateTime.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) {
        add(after: 0, action)
    }

    func schedule(
        after date: ImmediateTime,
        tolerance: ImmediateTime.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) {
        add(after: date.position - state.withLock { $0.now }, action)
    }

    func schedule(
        after date: ImmediateTime,
        interval: ImmediateTime.Stride,
        tolerance: ImmediateTime.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        let isOn = Locked(true)
        func turn(at due: ImmediateTime) {
            schedule(after: due, tolerance: tolerance, options: nil) {
                guard isOn.withLock({ $0 }) else { return }
                action()
                turn(at: due.advanced(by: interval))
            }
        }
        turn(at: date)
        return AnyCancellable { isOn.withLock { $0 = false } }
    }

    /// Lets `milliseconds` go by and runs what is due, in order of time and then of scheduling.
    func advance(by milliseconds: Int = 0) {
        let end = state.withLock { $0.now + milliseconds }
        while let action = next(until: end) { action() }
        state.withLock { $0.now = end }
    }

    private func add(after delay: Int, _ action: @escaping () -> Void) {
        state.withLockUnchecked { state in
            state.count += 1
            state.jobs.append((state.now + max(0, delay), state.count, action))
        }
    }

    private func next(until end: Int) -> (() -> Void)? {
        state.withLock { state in
            let due = state.jobs.indices.filter { state.jobs[$0].due <= end }
            guard
                let index = due.min(by: {
                    (state.jobs[$0].due, state.jobs[$0].number) < (state.jobs[$1].due, state.jobs[$1].number)
                })
            else { return nil }
            let job = state.jobs.remove(at: index)
            state.now = max(state.now, job.due)
            return job.action
        }
    }
}

/// Milliseconds on a ``TestScheduler``.
struct ImmediateTime: Strideable {
    var position: Int

    func distance(to other: ImmediateTime) -> Stride { Stride(magnitude: other.position - position) }
    func advanced(by n: Stride) -> ImmediateTime { ImmediateTime(position: position + n.magnitude) }

    struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable {
        var magnitude: Int

        init(magnitude: Int) { self.magnitude = magnitude }
        init(integerLiteral value: Int) { magnitude = value }
        init?<T: BinaryInteger>(exactly source: T) {
            guard let value = Int(exactly: source) else { return nil }
            magnitude = value
        }

        static func seconds(_ s: Int) -> Self { Self(magnitude: s * 1000) }
        static func seconds(_ s: Double) -> Self { Self(magnitude: Int(s * 1000)) }
        static func milliseconds(_ ms: Int) -> Self { Self(magnitude: ms) }
        static func microseconds(_ us: Int) -> Self { Self(magnitude: us / 1000) }
        static func nanoseconds(_ ns: Int) -> Self { Self(magnitude: ns / 1_000_000) }
        static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
        static func + (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude + rhs.magnitude) }
        static func - (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude - rhs.magnitude) }
        static func * (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude * rhs.magnitude) }
        static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    }
}
