#if os(Linux) || os(Android)
import Basics
import CCurl

/// One event loop of a session: takes commands from any thread, and has them done by its leader.
///
/// Which thread leads is decided in ``LeaderFollowers``. Only the leader touches the ``TransferTable``.
final class EventLoop: Sendable {
    /// A command for the leader.
    enum Command {
        case start(CurlGrant)
        case cancel(CurlTask)
        /// There may be something to go on with: room for what has arrived, or something to send.
        case resume(CurlTask)
    }

    fileprivate enum Phase {
        /// There is no thread.
        case idle
        case running
        /// All hops have ended, and so will the threads.
        case retiring
        case retired
    }

    fileprivate struct State {
        var phase = Phase.idle
        var commands: [Command] = []
        var deliveries = Queue<any Delivery>()
        /// Deliveries since the last round with libcurl.
        var delivered = 0
        var threads = LeaderFollowers<LoopThread>()
        var table: TransferTable?
        var waker: Waker?
        var isSleeping = false
        /// The group, as long as there is a thread.
        var group: EventLoopGroup?

        /// The waker to call because there is something to do; nil if no thread sleeps.
        mutating func rouse() -> Waker? {
            defer { isSleeping = false }
            return isSleeping ? waker : nil
        }
    }

    /// Deliveries after which a round with libcurl comes first, so that they cannot keep it from its sockets.
    fileprivate static let deliveriesInARow = 256

    let number: Int
    private let state = Locked(State())

    init(_ number: Int) {
        self.number = number
    }

    /// Has a hop begin. The first one starts the loop's thread, which keeps the group.
    func start(_ grant: CurlGrant, in group: EventLoopGroup) {
        let (startsThread, waker) = state.withLock { state -> (Bool, Waker?) in
            state.commands.append(.start(grant))
            guard state.phase == .idle else { return (false, state.rouse()) }
            state.phase = .running
            state.group = group
            return (true, nil)
        }
        if startsThread { startThread(in: group) }
        waker?.wake()
    }

    /// Passes on a command about a hop that has begun. Nothing happens if the hop has ended, and the loop with it.
    func submit(_ command: Command) {
        let waker = state.withLock { state -> Waker? in
            guard state.phase == .running || state.phase == .retiring else { return nil }
            state.commands.append(command)
            return state.rouse()
        }
        waker?.wake()
    }

    /// Runs a delivery on a thread of the loop; false if there is none.
    func deliver(_ delivery: any Delivery) -> Bool {
        let (isTaken, waker) = state.withLock { state -> (Bool, Waker?) in
            guard state.phase == .running || state.phase == .retiring else { return (false, nil) }
            state.deliveries.append(delivery)
            return (true, state.rouse())
        }
        waker?.wake()
        return isTaken
    }

    /// Ends the threads and closes the connections as soon as nothing is left to deliver, and tells the group. No hop
    /// begins afterwards.
    func retire(in group: EventLoopGroup) {
        let (isRetired, waker) = state.withLock { state -> (Bool, Waker?) in
            switch state.phase {
            case .idle:
                state.phase = .retired
                return (true, nil)
            case .running:
                state.phase = .retiring
                return (false, state.rouse())
            case .retiring, .retired: return (false, nil)
            }
        }
        waker?.wake()
        if isRetired { group.loopRetired() }
    }
}

// MARK: The threads

extension EventLoop {
    fileprivate enum Step {
        /// A round with libcurl. Without a table one has to be made.
        case round(TransferTable?, [Command])
        case deliver(any Delivery, tellsWatchdog: Bool)
        /// The loop ends.
        case close
        /// The thread ends.
        case end
    }

    /// Starts a thread, which leads.
    private func startThread(in group: EventLoopGroup) {
        BackgroundThread.start { [self] in
            let thread = LoopThread()
            state.withLock { $0.threads.begin(thread) }
            run(thread, in: group)
        }
    }

    private func run(_ thread: LoopThread, in group: EventLoopGroup) {
        while true {
            switch state.withLock({ $0.step(of: thread) }) {
            case .deliver(let delivery, let tellsWatchdog):
                if tellsWatchdog { watch() }
                delivery.run()
                // After a fork in there this is the only thread of another process, which must leave this one's
                // connections alone.
                guard group.isInItsProcess else { return }
            case .round(let table, let commands):
                guard let table = table ?? makeTable(in: group) else {
                    fail(commands, in: group)
                    continue
                }
                table.work(on: commands)
                switch state.withLock({ $0.pause() }) {
                case .none: table.look()
                case .sleep: table.sleep()
                case .retire:
                    table.close()
                    return end(in: group)
                }
            case .close: return end(in: group)
            case .end: return
            }
        }
    }

    private func makeTable(in group: EventLoopGroup) -> TransferTable? {
        guard let waker = Waker(), let table = TransferTable(of: self, in: group, wokenBy: waker) else { return nil }
        state.withLock { state in
            state.waker = waker
            state.table = table
        }
        return table
    }

    /// There is no descriptor to begin with, or no memory. What waits fails; the next hop tries again.
    private func fail(_ commands: [Command], in group: EventLoopGroup) {
        for case .start(let grant) in commands {
            let observer = grant.hop.takeObserver()
            for next in group.leave(grant, on: self) { start(next, in: group) }
            observer?.finished(EngineFailure(reason: .cannotConnect, underlying: CurlError.noDescriptor))
        }
    }

    private func end(in group: EventLoopGroup) {
        let rest = state.withLock { state in
            defer {
                state.table = nil
                state.waker = nil
                state.deliveries = Queue()
                state.phase = .retired
                state.group = nil
            }
            state.threads.end()
            return state
        }
        var deliveries = rest.deliveries
        while let delivery = deliveries.popFirst() { delivery.runOnQueue() }
        group.loopRetired()
    }
}

extension EventLoop.State {
    /// The leader's state when it has done everything.
    enum Pause { case none, sleep, retire }

    fileprivate mutating func step(of thread: LoopThread) -> EventLoop.Step {
        guard threads.goesOn(thread) else { return .end }
        if delivered < EventLoop.deliveriesInARow, let delivery = deliveries.popFirst() {
            delivered += 1
            return .deliver(delivery, tellsWatchdog: threads.beginDelivery(at: monotonicNanoseconds()))
        }
        isSleeping = false
        delivered = 0
        if table == nil, commands.isEmpty, deliveries.isEmpty { return stepWithoutTable() }
        defer { commands.removeAll() }
        return .round(table, commands)
    }

    /// Without descriptors there is no way to sleep: the thread ends, and the next command starts another.
    private mutating func stepWithoutTable() -> EventLoop.Step {
        if phase == .retiring { return .close }
        phase = .idle
        group = nil  // not the last reference: the thread has one
        threads.end()
        return .end
    }

    fileprivate mutating func pause() -> Pause {
        guard commands.isEmpty, deliveries.isEmpty else { return .none }
        if phase == .retiring { return .retire }
        isSleeping = true
        return .sleep
    }
}

// MARK: The watchdog

extension EventLoop: DeadlineTimer.Client {
    /// Has the watchdog look at the leader in a while.
    private func watch() {
        let interval = LeaderFollowers<LoopThread>.patience / 2
        _ = DeadlineTimer.shared.schedule(at: monotonicNanoseconds() + interval, for: self)
    }

    func deadlineReached() {
        switch state.withLock({ $0.threads.look(at: monotonicNanoseconds()) }) {
        case .quiet: return
        case .fine: break
        case .overdue(let overdue):
            let (busyTime, isRunnable) = (overdue.leader.busyTime, overdue.leader.isRunnable)
            let now = monotonicNanoseconds()
            let group = state.withLock { state in
                state.threads.depose(overdue, busyTime: busyTime, isRunnable: isRunnable, at: now) ? state.group : nil
            }
            if let group { startThread(in: group) }
        }
        watch()
    }
}
#endif
