import Dispatch
import Locking

/// All deadlines of the process, behind one timer.
///
/// An exchange sets a deadline it will hardly ever reach. With a timer each, every exchange would pay the system for
/// arming and disarming it; here a deadline that is not the earliest costs an entry in a heap. Forgotten entries stay
/// in the heap until they are half of it.
final class Timekeeper: Sendable {
    /// Who has set a deadline.
    protocol Sleeper: AnyObject, Sendable {
        /// The deadline is reached. Must not block.
        func wake()
    }

    /// A deadline that has been set.
    struct Alarm: Sendable, Comparable {
        fileprivate let number: UInt64

        /// Whether `left` was set before `right`.
        static func < (left: Alarm, right: Alarm) -> Bool { left.number < right.number }
    }

    static let shared = Timekeeper()

    fileprivate struct State {
        var last: UInt64 = 0
        var sleepers: [UInt64: any Sleeper] = [:]
        var heap: [(deadline: UInt64, number: UInt64)] = []
        var armed = UInt64.max
        let timer: any DispatchSourceTimer
    }

    private let state: Locked<State>

    private init() {
        let queue = DispatchQueue(label: "HTTPTransport.Timekeeper")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        state = Locked(State(timer: timer))
        timer.setEventHandler { Timekeeper.shared.ring() }
        timer.resume()
    }

    /// Wakes `sleeper` once, on the timekeeper's queue, when `deadline` is reached, and keeps it until then.
    func alarm(at deadline: UInt64, for sleeper: any Sleeper) -> Alarm {
        state.withLock { state in
            state.last += 1
            state.sleepers[state.last] = sleeper
            state.push((deadline, state.last))
            state.arm()
            return Alarm(number: state.last)
        }
    }

    /// Forgets the deadline, unless it has been reached.
    func cancel(_ alarm: Alarm) {
        let dropped = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: alarm.number)
            state.compact()
            return sleeper
        }
        _ = dropped
    }

    /// How many deadlines are set. For tests.
    var count: Int { state.withLock { $0.sleepers.count } }

    private func ring() {
        let due = state.withLock { state in
            state.armed = .max
            let due = state.takeDue(at: monotonicNanoseconds())
            state.arm()
            return due
        }
        for sleeper in due { sleeper.wake() }
    }
}

extension Timekeeper.State {
    /// Sets the timer to the earliest deadline. Under the lock, because two settings must not overtake each other.
    fileprivate mutating func arm() {
        while let first = heap.first, sleepers[first.number] == nil { pop() }
        guard let first = heap.first, first.deadline < armed else { return }
        armed = first.deadline
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: first.deadline), leeway: .milliseconds(1))
    }

    fileprivate mutating func takeDue(at now: UInt64) -> [any Timekeeper.Sleeper] {
        var due: [any Timekeeper.Sleeper] = []
        while let first = heap.first, first.deadline <= now {
            if let sleeper = sleepers.removeValue(forKey: first.number) { due.append(sleeper) }
            pop()
        }
        return due
    }

    fileprivate mutating func compact() {
        guard heap.count > 64, heap.count > sleepers.count * 2 else { return }
        let sleepers = self.sleepers
        heap = heap.filter { sleepers[$0.number] != nil }.sorted { $0.deadline < $1.deadline }
    }

    fileprivate mutating func push(_ entry: (deadline: UInt64, number: UInt64)) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child].deadline < heap[(child - 1) / 2].deadline {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].deadline < heap[least].deadline {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
