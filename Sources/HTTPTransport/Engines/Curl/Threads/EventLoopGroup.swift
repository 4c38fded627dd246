#if os(Linux) || os(Android)
import Basics
import CCurl
import Dispatch

typealias CurlGrant = ConnectionLimiter<CurlTask>.Grant

/// The event loops of a session, and the limiter that decides which hop (a single request on the wire) begins on which
/// of them. An exchange is a request with its redirects, each of which is a hop.
final class EventLoopGroup: Sendable {
    private struct State {
        var limiter: ConnectionLimiter<CurlTask>
        var isClosed = false
        /// Exchanges that may have another hop.
        var exchanges = 0
        /// Loops whose threads have not ended; nil before the shutdown.
        var retiring: Int?
        var closers: [@Sendable () -> Void] = []

        /// Whether no hop runs, and none may follow.
        var isDrained: Bool { isClosed && exchanges == 0 && limiter.count == 0 }
    }

    let configuration: CurlSession.Configuration
    /// The setting that cannot be used; nil if all can. Checked once, since that reads files.
    let problem: CurlSession.Configuration.Problem?
    let files: SessionFiles
    private let forkCount = BackgroundThread.forkCount
    private let state: Locked<State>
    private let loops: [EventLoop]

    init(
        _ configuration: CurlSession.Configuration,
        fileChanged: @escaping @Sendable (CurlSession.FileChange) -> Void = { _ in }
    ) {
        self.configuration = configuration
        files = SessionFiles(configuration, report: fileChanged)
        problem = configuration.problem
        let count = min(max(1, configuration.threads), 256)
        state = Locked(
            State(
                limiter: ConnectionLimiter(
                    perOrigin: configuration.connectionsPerHost,
                    total: configuration.connections,
                    loops: count
                )
            )
        )
        loops = (0..<count).map(EventLoop.init)
    }

    /// Whether this is the process that has created the group. A forked process has none of its threads, and its locks
    /// may be held for good.
    var isInItsProcess: Bool { BackgroundThread.forkCount == forkCount }

    /// Hops that have been started and have not ended, including those that wait.
    var count: Int { state.withLock { $0.limiter.count } }
}

// MARK: Hops

extension EventLoopGroup {
    /// Begins the hop as soon as it may; false if the session is closed.
    func enter(_ task: CurlTask, _ request: CurlRequest, of exchange: any ExchangeContext) -> Bool {
        guard isInItsProcess else { return false }
        let (isAdmitted, grant) = state.withLock { state -> (Bool, CurlGrant?) in
            switch exchange.claim(by: self, isOpen: !state.isClosed) {
            case .refused: return (false, nil)
            case .admitted(let isNew): if isNew { state.exchanges += 1 }
            }
            return (true, state.limiter.enter(task, to: request.origin, hasSource: request.body.hasSource))
        }
        if let grant { loops[grant.loop].start(grant, in: self) }
        return isAdmitted
    }

    /// Gets a connection for a hop that has begun without one; nil if it will be begun again when there is one.
    func claim(_ grant: CurlGrant) -> CurlGrant? { state.withLockUnchecked { $0.limiter.claim(grant) } }

    /// Releases a connection. Other hops begin: those on the same loop are returned.
    func leave(_ grant: CurlGrant, on loop: EventLoop) -> [CurlGrant] {
        begin(on: loop, sharing: grant) { $0.leave(grant) }
    }

    /// Lets others have a connection in place of one that is switched to another protocol. Those on the same loop are
    /// returned.
    func detach(_ grant: inout CurlGrant, on loop: EventLoop) -> [CurlGrant] {
        begin(on: loop, sharing: grant) { $0.detach(&grant) }
    }

    /// Records what a response has shown. Other hops may begin: those on the same loop are returned.
    func record(_ grant: CurlGrant, isMultiplexed: Bool, on loop: EventLoop) -> [CurlGrant] {
        begin(on: loop, sharing: grant) { $0.record(grant, isMultiplexed: isMultiplexed) }
    }

    /// A hop has been canceled, which may be waiting.
    func cancelled(_ task: CurlTask, to origin: Origin) {
        guard isInItsProcess else { return }
        let (forgotten, isDrained) = state.withLock { state in
            (state.limiter.forget(to: origin) { $0.isCancelled }, state.isDrained)
        }
        withExtendedLifetime(forgotten) {}
        if isDrained { retire() }
    }

    func closedConnections(of loop: EventLoop) {
        state.withLock { $0.limiter.closedConnections(of: loop.number) }
    }

    /// Runs a delivery on this loop, or on the first one; on a queue if they have ended.
    func deliver(_ delivery: any DeliveryJob, on loop: EventLoop?) {
        if isInItsProcess, (loop ?? loops[0]).deliver(delivery) { return }
        delivery.runOnQueue()
    }

    /// Runs a part of a task on the loop of the running thread, or else on any loop; on a thread of Dispatch if no loop
    /// runs.
    func run(_ part: any DeliveryJob) {
        let own = EventLoop.current.flatMap { loop in loops.firstIndex { $0 === loop } }
        let first = own ?? Int.random(in: loops.indices)
        let isTaken = isInItsProcess && loops.indices.contains { loops[(first + $0) % loops.count].run(part) }
        if !isTaken { DispatchQueue.global().async { part.run() } }
    }

    private func begin(
        on loop: EventLoop,
        sharing grant: CurlGrant,
        after change: (inout ConnectionLimiter<CurlTask>) -> Void
    ) -> [CurlGrant] {
        let (grants, isDrained) = state.withLockUnchecked { state -> ([CurlGrant], Bool) in
            change(&state.limiter)
            var grants: [CurlGrant] = []
            while let next = state.limiter.next(sharing: grants.last ?? grant) { grants.append(next) }
            return (grants, state.isDrained)
        }
        if isDrained { retire() }
        for grant in grants where grant.loop != loop.number { loops[grant.loop].start(grant, in: self) }
        return grants.filter { $0.loop == loop.number }
    }
}

// MARK: The end

extension EventLoopGroup: ExchangeOwner {
    /// Refuses new exchanges from now on.
    ///
    /// - Parameter closed: Called when all exchanges have ended and all connections are closed.
    func close(_ closed: @escaping @Sendable () -> Void = {}) {
        guard isInItsProcess else { return closed() }
        let (isOver, isDrained) = state.withLock { state in
            state.isClosed = true
            let isOver = state.retiring == 0
            if !isOver { state.closers.append(closed) }
            return (isOver, state.isDrained)
        }
        if isOver { closed() }
        if isDrained { retire() }
    }

    func exchangeEnded() {
        guard isInItsProcess else { return }
        let isDrained = state.withLock { state in
            state.exchanges -= 1
            return state.isDrained
        }
        if isDrained { retire() }
    }

    private func retire() {
        let isFirst = state.withLock { state in
            guard state.retiring == nil else { return false }
            state.retiring = loops.count
            return true
        }
        if isFirst { for loop in loops { loop.retire(in: self) } }
    }

    /// The threads of a loop have ended, and its connections are closed.
    func loopRetired() {
        let closers = state.withLock { state -> [@Sendable () -> Void] in
            state.retiring = state.retiring.map { $0 - 1 }
            guard state.retiring == 0 else { return [] }
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer() }
    }
}
#endif
