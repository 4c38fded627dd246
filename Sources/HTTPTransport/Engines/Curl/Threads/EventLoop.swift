#if os(Linux) || os(Android)
import Basics
import CCurl

/// One event loop of a session. It takes commands about hops (single requests on the wire) from any thread, and its
/// leader, the thread that works with libcurl at present, carries them out.
///
/// ``LeaderFollowers`` decides which thread leads. Only the leader uses the ``TransferTable``.
final class EventLoop: Sendable {
    enum Command {
        case start(CurlGrant)
        case cancel(CurlTask)
        /// There is room for what has arrived, or something to send.
        case resume(CurlTask)
    }

    fileprivate enum Phase {
        /// There is no thread.
        case idle
        case running
        /// All hops have ended, and the threads are about to.
        case retiring
        case retired
    }

    fileprivate struct State {
        var phase = Phase.idle
        var commands: [Command] = []
        var deliveries = Queue<any DeliveryJob>()
        /// Deliveries since the last round with libcurl, and the time of the first of them.
        var delivered = 0
        var deliversSince: UInt64 = 0
        /// Whether the sockets have been looked at since the last round.
        var hasPolled = false
        var roles = LeaderFollowers<WatchedThread>()
        var table: TransferTable?
        var waker: Waker?
        var isSleeping = false
        /// The group, retained while there is a thread.
        var group: EventLoopGroup?

        /// The waker to call for new work; nil if no thread sleeps.
        mutating func takeWaker() -> Waker? {
            defer { isSleeping = false }
            return isSleeping ? waker : nil
        }
    }

    /// Deliveries, and nanoseconds, after which a round with libcurl comes first, so that they cannot keep it from its
    /// sockets.
    fileprivate static let deliveriesInARow = 256
    fileprivate static let timeInARow: UInt64 = 2_000_000

    let number: Int
    private let state = Locked(State())

    init(_ number: Int) {
        self.number = number
    }

    /// Begins a hop. The first one starts the loop's thread, which retains the group.
    func start(_ grant: CurlGrant, in group: EventLoopGroup) {
        let (startsThread, waker) = state.withLockUnchecked { state -> (Bool, Waker?) in
            guard state.phase != .retired else { return (false, nil) }  // the hop has ended
            state.commands.append(.start(grant))
            guard state.phase == .idle else { return (false, state.takeWaker()) }
            state.phase = .running
            state.group = group
            return (true, nil)
        }
        if startsThread { startThread(in: group) }
        waker?.wake()
    }

    /// Queues a command about a hop that has begun. Does nothing if the loop has ended.
    func submit(_ command: Command) { _ = add { $0.commands.append(command) } }

    /// Runs a delivery on a thread of the loop; false without a thread.
    func deliver(_ delivery: any DeliveryJob) -> Bool { add { $0.deliveries.append(delivery) } }

    /// Runs a part of a task on a thread of the loop; false without a thread, and at a loop that ends with its
    /// deliveries: tasks may have no end.
    func run(_ part: any DeliveryJob) -> Bool { add(unlessRetiring: true) { $0.deliveries.append(part) } }

    /// Adds work and wakes the leader; false without a thread.
    private func add(unlessRetiring: Bool = false, _ work: (inout State) -> Void) -> Bool {
        let (isAdded, waker) = state.withLockUnchecked { state -> (Bool, Waker?) in
            guard state.phase == .running || state.phase == .retiring && !unlessRetiring else { return (false, nil) }
            work(&state)
            return (true, state.takeWaker())
        }
        waker?.wake()
        return isAdded
    }

    /// Ends the threads and closes the connections after the last delivery, and notifies the group. No hop begins
    /// afterwards.
    func retire(in group: EventLoopGroup) {
        let (isRetired, waker) = state.withLock { state -> (Bool, Waker?) in
            switch state.phase {
            case .idle:
                state.phase = .retired
                return (true, nil)
            case .running:
                state.phase = .retiring
                return (false, state.takeWaker())
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
        /// A round with libcurl, with the commands that were taken, after a look at the sockets if there has been none. Without a table, one has to be
        /// created.
        case round(TransferTable?, polls: Bool)
        /// Sleeps until there is something to do.
        case sleep(TransferTable)
        /// Closes the connections, and ends the loop.
        case retire(TransferTable)
        case deliver(any DeliveryJob, startsWatchdog: Bool)
        /// The loop ends.
        case close
        /// The thread ends.
        case end
    }

    /// The loop to which the running thread belongs; nil on other threads.
    static var current: EventLoop? {
        // Its thread retains the loop until it has run.
        ccurl_thread_owner().map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    private func startThread(in group: EventLoopGroup) {
        BackgroundThread.start { [self] in
            let thread = WatchedThread()
            state.withLock { $0.roles.setLeader(thread) }
            ccurl_set_thread_owner(Unmanaged.passUnretained(self).toOpaque())
            run(thread, in: group)
            // Without a free thread, this one is of a queue, and goes on.
            ccurl_set_thread_owner(nil)
        }
    }

    private func run(_ thread: WatchedThread, in group: EventLoopGroup) {
        var commands: [Command] = []
        while true {
            switch state.withLockUnchecked({ $0.step(of: thread, taking: &commands) }) {
            case .deliver(let delivery, let startsWatchdog):
                if startsWatchdog { startWatchdog() }
                delivery.run()
                // After a fork in the delivery, this is the child, which must not use the parent's connections.
                guard group.isInItsProcess else { return }
            case .round(let table, let polls):
                if let table = table ?? makeTable(in: group) {
                    if polls { table.poll() }
                    table.work(on: commands)
                } else {
                    fail(commands, in: group)
                }
                commands.removeAll(keepingCapacity: commands.count < 64)
            case .sleep(let table): table.sleep()
            case .retire(let table):
                table.close()
                return end(in: group)
            case .close: return end(in: group)
            case .end: return
            }
        }
    }

    private func makeTable(in group: EventLoopGroup) -> TransferTable? {
        guard let waker = Waker(), let table = TransferTable(of: self, in: group, wokenBy: waker) else { return nil }
        state.withLockUnchecked { state in
            state.waker = waker
            state.table = table
        }
        return table
    }

    /// There is no descriptor or no memory: the hops that wait fail, and the next hop tries again.
    private func fail(_ commands: [Command], in group: EventLoopGroup) {
        for case .start(let grant) in commands {
            let observer = grant.hop.takeObserver()
            for next in group.leave(grant, on: self) { start(next, in: group) }
            observer?.finished(EngineFailure(reason: .cannotConnect, underlying: CurlSession.LibraryError.noDescriptor))
        }
    }

    private func end(in group: EventLoopGroup) {
        let rest = state.withLock { state in
            defer {
                state.table = nil
                state.waker = nil
                state.commands = []
                state.deliveries = Queue()
                state.phase = .retired
                state.group = nil
            }
            state.roles.removeLeader()
            return state
        }
        var deliveries = rest.deliveries
        while let delivery = deliveries.popFirst() { delivery.runOnQueue() }
        group.loopRetired()
    }
}

extension EventLoop.State {
    /// The leader's next step: deliveries first, then a round if there may be something to do, or else sleep. A round
    /// takes the commands, and leaves an empty array for the next.
    fileprivate mutating func step(
        of thread: WatchedThread,
        taking batch: inout [EventLoop.Command]
    ) -> EventLoop.Step {
        guard roles.endDelivery(of: thread) else { return .end }
        let now = deliveries.isEmpty ? 0 : monotonicNanoseconds()
        if mayDeliver(at: now), let delivery = deliveries.popFirst() {
            if delivered == 0 { deliversSince = now }
            delivered += 1
            return .deliver(delivery, startsWatchdog: roles.beginDelivery(at: now))
        }
        (isSleeping, delivered) = (false, 0)
        if table == nil, commands.isEmpty, deliveries.isEmpty { return stepWithoutTable() }
        guard let table, !hasPolled, commands.isEmpty, deliveries.isEmpty else {
            defer { hasPolled = false }
            swap(&commands, &batch)
            return .round(table, polls: !hasPolled)
        }
        if phase == .retiring { return .retire(table) }
        (isSleeping, hasPolled) = (true, true)
        return .sleep(table)
    }

    private func mayDeliver(at now: UInt64) -> Bool {
        delivered == 0
            || delivered < EventLoop.deliveriesInARow && now < deliversSince + EventLoop.timeInARow
    }

    /// Without descriptors the thread cannot sleep: it ends, and the next command starts another.
    private mutating func stepWithoutTable() -> EventLoop.Step {
        if phase == .retiring { return .close }
        phase = .idle
        group = nil  // not the last reference: the thread has one
        roles.removeLeader()
        return .end
    }
}

extension EventLoop: WatchedThreads {
    func withRoles<Result>(_ body: (inout LeaderFollowers<WatchedThread>) -> Result) -> Result {
        state.withLockUnchecked { body(&$0.roles) }
    }

    func replaceLeader(if remove: (inout LeaderFollowers<WatchedThread>) -> Bool) {
        let group = state.withLock { remove(&$0.roles) ? $0.group : nil }
        if let group { startThread(in: group) }
    }
}

/// Wakes the leader of an event loop from its sleep in `epoll_wait`.
final class Waker: Sendable {
    let descriptor: Int32

    /// nil if no descriptor is free.
    init?() {
        descriptor = ccurl_waker_open()
        guard descriptor >= 0 else { return nil }
    }

    deinit { ccurl_waker_close(descriptor) }

    func wake() { ccurl_waker_wake(descriptor) }
}
#endif
