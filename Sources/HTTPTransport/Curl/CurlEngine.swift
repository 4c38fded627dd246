#if os(Linux) || os(Android)
import CCurl
import Foundation
import Locking

/// Takes commands from any thread, and has them done by the one of its threads that works with libcurl.
final class CurlEngine: ExchangeEngine {
    enum Command {
        case start(CurlExchange)
        case cancel(CurlExchange)
        /// There may be something to go on with: room for what has arrived, or something to send.
        case resume(CurlExchange)
    }

    fileprivate struct State {
        var commands: [Command] = []
        var count = 0
        var crew = CurlCrew()
        var worker: CurlWorker?
        var waker: CurlWaker?
        var isSleeping = false
        var isClosed = false
        var closers: [@Sendable () -> Void] = []

        /// Whom to wake, because there is something to do.
        mutating func rouse() -> CurlWaker? {
            defer { isSleeping = false }
            return isSleeping ? waker : nil
        }
    }

    /// What the leader does when it has done everything.
    enum Pause { case none, sleep, retire }

    private enum Reaction {
        case refuse
        case wake(CurlWaker?)
        case startThread
    }

    /// Seconds a thread without work is kept for.
    private static let rest = 5

    let configuration: CurlSession.Configuration
    /// The setting that cannot be used; nil if all can. Found out once, since it means looking at files.
    let problem: CurlSession.Configuration.Problem?
    private let generation = ccurl_generation()
    private let state = Locked(State())

    init(_ configuration: CurlSession.Configuration) {
        self.configuration = configuration
        problem = configuration.problem
    }

    /// Exchanges that have been started and have not ended.
    var count: Int { state.withLock { $0.count } }

    func exchange(_ request: ExchangeRequest) -> any EngineExchange {
        CurlExchange(request, on: self)
    }

    /// Passes on a command; false if there is nobody to carry it out.
    func submit(_ command: Command) -> Bool {
        // The threads are not in a forked process, and who held the lock may not be there either.
        guard ccurl_generation() == generation else { return false }
        let reaction = state.withLock { state -> Reaction in
            if case .start = command {
                guard !state.isClosed else { return .refuse }
                state.count += 1
            } else if !state.crew.hasLeader {
                return .refuse  // what the command is about has ended, and the threads with it
            }
            state.commands.append(command)
            guard !state.crew.hasLeader else { return .wake(state.rouse()) }
            state.crew.hire()
            return .startThread
        }
        switch reaction {
        case .refuse: return false
        case .wake(let waker): waker?.wake()
        case .startThread: startThread()
        }
        return true
    }

    func deliver(_ delivery: any ExchangeDelivery) {
        guard ccurl_generation() == generation else { return deliverOnQueue(delivery) }
        let (isTaken, waker) = state.withLock { state -> (Bool, CurlWaker?) in
            guard state.crew.hasLeader else { return (false, nil) }
            state.crew.add(delivery)
            return (true, state.rouse())
        }
        if !isTaken { deliverOnQueue(delivery) }
        waker?.wake()
    }

    /// Refuses new exchanges from now on.
    ///
    /// - Parameter closed: Called when all others have ended and all connections are closed.
    func close(_ closed: @escaping @Sendable () -> Void = {}) {
        guard ccurl_generation() == generation else { return closed() }
        let (isOver, waker) = state.withLock { state -> (Bool, CurlWaker?) in
            state.isClosed = true
            guard state.crew.hasLeader else { return (true, nil) }
            state.closers.append(closed)
            return (false, state.rouse())
        }
        if isOver { closed() }
        waker?.wake()
    }
}

// MARK: Threads

extension CurlEngine {
    private func startThread() {
        let isStarted = CurlHand.start { [self] hand in
            state.withLock { $0.crew.begins(hand) }
            work(hand)
        }
        if isStarted { return }
        let (hasLeader, waker) = state.withLock { state in
            state.crew.isMissing()
            return (state.crew.hasLeader, state.rouse())
        }
        waker?.wake()
        if !hasLeader { giveUp() }
    }

    private func work(_ hand: CurlHand) {
        var took: UInt64?
        while true {
            let (duty, call) = state.withLock { state in
                let isLast = state.count == 0
                let isClosing = isLast && state.isClosed
                return state.crew.next(
                    for: hand,
                    after: took,
                    isLast: isLast,
                    isClosing: isClosing,
                    at: monotonicNanoseconds()
                )
            }
            took = nil
            switch call {
            case .nobody: break
            case .bell(let hand): hand.bell.signal()
            case .newHand: startThread()
            case .leader: state.withLock({ $0.rouse() })?.wake()
            }
            switch duty {
            case .lead: guard lead() else { return }
            case .deliver(let delivery):
                let start = monotonicNanoseconds()
                delivery.run()
                // Who forks in there comes out as the only thread of another process, which must leave this one's
                // connections alone.
                guard ccurl_generation() == generation else { return }
                took = monotonicNanoseconds() - start
            case .pass(let delivery): deliverOnQueue(delivery)
            case .watch: _ = hand.bell.wait(timeout: .now() + .nanoseconds(Int(CurlCrew.patience / 2)))
            case .rest(forever: true): hand.bell.wait()
            case .rest(forever: false):
                let end = hand.bell.wait(timeout: .now() + .seconds(Self.rest))
                if end == .timedOut, state.withLock({ $0.crew.leaves(hand) }) { return }
            case .end: return
            }
        }
    }

    /// One round with libcurl; false if it was the last.
    private func lead() -> Bool {
        guard let worker = state.withLock({ $0.worker }) ?? makeWorker() else {
            giveUp()
            return false
        }
        worker.work()
        switch state.withLock({ $0.pause() }) {
        case .none: break
        case .sleep: worker.sleep()
        case .retire:
            worker.end()
            retire()
            return false
        }
        return true
    }

    private func makeWorker() -> CurlWorker? {
        guard let waker = CurlWaker(), let worker = CurlWorker(self, wokenBy: waker) else { return nil }
        state.withLock { state in
            state.waker = waker
            state.worker = worker
        }
        return worker
    }

    /// Everything has ended, and so do the threads.
    private func retire() {
        let (hands, closers, remains) = state.withLock { state in
            defer {
                state.closers = []
                state.worker = nil
                state.waker = nil
            }
            return (state.crew.close(), state.closers, (state.worker, state.waker))
        }
        for hand in hands { hand.bell.signal() }
        for closer in closers { closer() }
        withExtendedLifetime(remains) {}
    }

    /// There is not even what it takes to begin. What waits fails; the next exchange tries again.
    private func giveUp() {
        let (commands, closers, crew) = state.withLock { state in
            defer {
                state.commands = []
                state.closers = []
                state.crew = CurlCrew()
            }
            return (state.commands, state.closers, state.crew)
        }
        var rest = crew
        while let delivery = rest.takeDelivery() { deliverOnQueue(delivery) }
        for case .start(let exchange) in commands {
            ended()
            exchange.takeSink()?.finished(EngineFailure(reason: .engine, underlying: CurlError.outOfMemory))
        }
        for closer in closers { closer() }
    }
}

extension CurlEngine.State {
    fileprivate mutating func pause() -> CurlEngine.Pause {
        guard commands.isEmpty, !crew.needsLeader else { return .none }
        if isClosed, count == 0 { return crew.hasDeliveries ? .none : .retire }
        isSleeping = true
        return .sleep
    }
}

// MARK: The leader's side

extension CurlEngine {
    /// Everything that is to be done.
    func takeCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands.removeAll() }
            state.isSleeping = false
            return state.commands
        }
    }

    func ended(_ number: Int = 1) {
        state.withLock { $0.count -= number }
    }
}

/// Wakes the leader from its sleep.
final class CurlWaker: Sendable {
    let descriptor: Int32

    /// nil if there is no descriptor.
    init?() {
        descriptor = ccurl_waker_open()
        guard descriptor >= 0 else { return nil }
    }

    deinit { ccurl_waker_close(descriptor) }

    func wake() { ccurl_waker_wake(descriptor) }
}
#endif
