/// A scheduler whose time goes by when the script says so.
final class Clock: Scheduler {
    typealias SchedulerTimeType = Moment
    typealias SchedulerOptions = Never

    private var time = 0
    private var count = 0
    private var jobs: [(due: Int, number: Int, action: () -> Void)] = []

    var now: SchedulerTimeType { Moment(position: time) }
    var minimumTolerance: SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) { add(after: 0, action) }

    func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) { add(after: now.distance(to: date).magnitude, action) }

    func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        var isOn = true
        func turn(at due: SchedulerTimeType) {
            schedule(after: due, tolerance: tolerance, options: nil) {
                guard isOn else { return }
                action()
                turn(at: due.advanced(by: interval))
            }
        }
        turn(at: date)
        return AnyCancellable { isOn = false }
    }

    /// Lets `duration` go by and runs what is due, in order of time and then of scheduling; at most a hundred jobs.
    func advance(by duration: Int) {
        let end = time + duration
        for _ in 0..<100 {
            let due = jobs.indices.filter { jobs[$0].due <= end }
            guard let next = due.min(by: { (jobs[$0].due, jobs[$0].number) < (jobs[$1].due, jobs[$1].number) }) else {
                break
            }
            let job = jobs.remove(at: next)
            time = max(time, job.due)
            job.action()
        }
        time = end
    }

    private func add(after delay: Int, _ action: @escaping () -> Void) {
        count += 1
        jobs.append((time + max(0, delay), count, action))
    }
}

/// A moment on a ``Clock``.
struct Moment: Strideable {
    let position: Int

    func distance(to other: Moment) -> Stride { Stride(magnitude: other.position - position) }
    func advanced(by n: Stride) -> Moment { Moment(position: position + n.magnitude) }

    /// Whole units; seconds and their parts are units too.
    struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable {
        var magnitude: Int

        init(magnitude: Int) { self.magnitude = magnitude }
        init(integerLiteral value: Int) { magnitude = value }
        init?<T: BinaryInteger>(exactly source: T) {
            guard let value = Int(exactly: source) else { return nil }
            magnitude = value
        }

        static func seconds(_ s: Int) -> Self { Self(magnitude: s) }
        static func seconds(_ s: Double) -> Self { Self(magnitude: Int(s)) }
        static func milliseconds(_ ms: Int) -> Self { Self(magnitude: ms) }
        static func microseconds(_ us: Int) -> Self { Self(magnitude: us) }
        static func nanoseconds(_ ns: Int) -> Self { Self(magnitude: ns) }
        static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
        static func + (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude + rhs.magnitude) }
        static func - (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude - rhs.magnitude) }
        static func * (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude * rhs.magnitude) }
        static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
        static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
        static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
    }
}
