import Basics

/// The limit of connections, which decides when each hop (a single request on the wire) begins, and on which event
/// loop: first come, first served for one origin, and in turn among several. Time limits do not count the wait.
///
/// A connection belongs to the loop that has opened it. A hop goes where its origin has an idle connection, and to
/// another loop only if that one is busier. So a program that sends one request after another uses one connection, and
/// one that sends many at once has them spread over all loops.
///
/// A hop whose body comes from a source needs no connection before the source has given something. It begins, and claims
/// a connection then. The source may be another hop to the same origin, so half of the connections are left to others
/// while such hops have none, and are kept from others until they have some.
///
/// A value that only decides; its owner begins the hops. Engines without loops use it with one loop and no limit in
/// all.
struct ConnectionLimiter<Hop: AnyObject> {
    /// The permission for one hop to begin.
    struct Grant {
        let hop: Hop
        /// The number of the loop to begin on.
        let loop: Int
        fileprivate let host: ConnectionHost<Hop>
        /// Whether one connection with the origin carries many hops; nil before the first response.
        let isMultiplexed: Bool?
        /// Whether a connection comes with it. If not, the hop claims one when there is something to send.
        private(set) var hasConnection = true
        fileprivate let claim: ConnectionClaim?
        /// Whether there was no idle connection that it could use.
        fileprivate var isNew = false
        /// Whether its connection is not counted any more.
        fileprivate var isDetached = false
    }

    /// The number of origins from which on those without hops are forgotten.
    private static var rememberedOrigins: Int { 1_000 }

    private let perOrigin: Int
    private let total: Int
    /// The number of hops that run on each loop.
    private var loads: [Int]
    private var connections = 0
    private var hosts: [Origin: ConnectionHost<Hop>] = [:]
    /// Hosts with waiting hops and perhaps a free connection.
    private var candidates = Queue<ConnectionHost<Hop>>()
    /// The number of hops that run or wait.
    private(set) var count = 0

    /// - Parameters:
    ///   - perOrigin: Connections with one origin.
    ///   - total: Connections with all origins that carry hops at a time.
    ///   - loops: The number of event loops.
    init(perOrigin: Int, total: Int = .max, loops: Int = 1) {
        self.perOrigin = min(max(1, perOrigin), 1 << 32)
        self.total = max(1, total)
        loads = Array(repeating: 0, count: max(1, loops))
    }

    var running: Int { loads.reduce(0, +) }

    /// Grants the hop its turn, or queues it and returns nil. `hasSource` is whether the body comes from a source that
    /// may wait.
    mutating func enter(_ hop: Hop, to origin: Origin, hasSource: Bool = false) -> Grant? {
        count += 1
        let host = host(of: origin)
        if hasSource {
            if host.waitingSourced.isEmpty, let grant = beginSourced(hop, with: host) { return grant }
            host.waitingSourced.append(hop)
        } else {
            if host.waiting.isEmpty, host.claims.isEmpty, let grant = begin(hop, with: host) { return grant }
            host.waiting.append(hop)
        }
        offer(host)
        return nil
    }

    /// The source of a hop has given something. Grants it a connection, or queues it and returns nil; then it is
    /// ``next(sharing:)`` when there is one. A hop that has claimed before, or has left, gets nil and nothing more.
    mutating func claim(_ grant: Grant) -> Grant? {
        guard let claim = grant.claim, claim.state == .resting else { return nil }
        claim.state = .waiting
        if grant.host.claims.isEmpty, isFree(for: grant) { return take(grant) }
        grant.host.claims.append(grant)
        offer(grant.host)
        return nil
    }

    /// Records the end of a hop, once for all grants of a claim. Others may begin: ``next(sharing:)``.
    mutating func leave(_ grant: Grant) {
        let state = grant.claim?.state ?? .running
        guard state != .left else { return }
        count -= 1
        loads[grant.loop] -= 1
        if state == .running, !grant.isDetached { change(grant.host) { $0.running[grant.loop] -= 1 } }
        if let claim = grant.claim {
            claim.state = .left
            grant.host.sourced -= 1
            if state == .running { grant.host.sending -= 1 }
            if state == .waiting { grant.host.claims.removeAll { $0.claim === claim } }
        }
        offer(grant.host)
    }

    /// Counts the connection of a hop no more, as it carries nothing else. Others may begin: ``next(sharing:)``.
    mutating func detach(_ grant: inout Grant) {
        guard !grant.isDetached else { return }
        grant.isDetached = true
        change(grant.host) { host in
            host.running[grant.loop] -= 1
            // It is always one of its own: an idle one has stayed idle.
            if grant.isNew { host.open[grant.loop] = max(0, host.open[grant.loop] - 1) }
        }
        offer(grant.host)
    }

    /// Records whether one connection carries many hops. If so, others may begin: ``next(sharing:)``.
    mutating func record(_ grant: Grant, isMultiplexed: Bool) {
        guard grant.host.isMultiplexed != isMultiplexed else { return }
        change(grant.host) { host in
            host.isMultiplexed = isMultiplexed
            // Hops that began before may share a connection: their rooms were not all connections.
            for loop in host.open.indices { host.open[loop] = host.used(loop) }
        }
        offer(grant.host)
    }

    /// The next hop that may begin; nil without one.
    ///
    /// While all connections are in use, hops of the origin of `grant` may share its connection, ahead of hops of other
    /// origins that need a new one.
    mutating func next(sharing grant: Grant? = nil) -> Grant? {
        if connections >= total, let host = grant?.host, let next = next(of: host) { return next }
        while let host = candidates.first {
            let next = next(of: host)
            // It stays the first in line while it waits for the connections of other origins.
            let isBlocked = connections >= total && host.usedConnections < perOrigin
            if next == nil, isBlocked, !host.waiting.isEmpty || !host.claims.isEmpty { return nil }
            _ = candidates.popFirst()
            host.isCandidate = false
            // A host that is full is offered again when one of its hops leaves.
            guard let next else { continue }
            offer(host)
            return next
        }
        return nil
    }

    /// The next hop of an origin that may begin: first those that have begun, and claim a connection.
    private mutating func next(of host: ConnectionHost<Hop>) -> Grant? {
        if let claim = host.claims.first {
            if isFree(for: claim), let grant = host.claims.popFirst() { return take(grant) }
        } else if let hop = host.waiting.first, let grant = begin(hop, with: host) {
            _ = host.waiting.popFirst()
            return grant
        }
        guard let hop = host.waitingSourced.first, let grant = beginSourced(hop, with: host) else { return nil }
        _ = host.waitingSourced.popFirst()
        return grant
    }

    /// Records that a waiting hop has been canceled. Canceled hops are removed once they are half of those that wait,
    /// and returned, to be released outside a lock.
    mutating func forget(to origin: Origin, where isCancelled: (Hop) -> Bool) -> [Hop] {
        guard let host = hosts[origin] else { return [] }
        host.cancelled += 1
        guard host.cancelled * 2 > host.waiting.count + host.waitingSourced.count else { return [] }
        var forgotten: [Hop] = []
        func forgets(_ hop: Hop) -> Bool {
            guard isCancelled(hop) else { return false }
            forgotten.append(hop)
            return true
        }
        host.waiting.removeAll(where: forgets)
        host.waitingSourced.removeAll(where: forgets)
        host.cancelled = 0
        count -= forgotten.count
        return forgotten
    }

    /// Records that a loop without hops has closed its connections.
    mutating func closedConnections(of loop: Int) {
        for host in hosts.values where host.running[loop] == 0 { host.open[loop] = 0 }
    }
}

extension ConnectionLimiter {
    private mutating func host(of origin: Origin) -> ConnectionHost<Hop> {
        if let host = hosts[origin] { return host }
        if hosts.count >= Self.rememberedOrigins { hosts = hosts.filter { !$0.value.isIdle } }
        let host = ConnectionHost<Hop>(loops: loads.count)
        hosts[origin] = host
        return host
    }

    private mutating func offer(_ host: ConnectionHost<Hop>) {
        guard !host.isCandidate, host.isWaiting else { return }
        host.isCandidate = true
        candidates.append(host)
    }

    /// The grant for a hop; nil if it has to wait.
    private mutating func begin(_ hop: Hop, with host: ConnectionHost<Hop>) -> Grant? {
        let isFree = host.sourced == 0 || host.hops + host.reserved(of: perOrigin) < perOrigin * host.capacity
        guard isFree, let loop = room(for: host) else { return nil }
        loads[loop] += 1
        return use(Grant(hop: hop, loop: loop, host: host, isMultiplexed: host.isMultiplexed, claim: nil))
    }

    /// The grant for a hop that will claim a connection; nil if as many as there may be connections have begun.
    private mutating func beginSourced(_ hop: Hop, with host: ConnectionHost<Hop>) -> Grant? {
        guard host.sourced < perOrigin * host.capacity else { return nil }
        // Without room, a loop that has connections with the origin, so that no more are opened elsewhere.
        let connected = loads.indices.filter { host.open[$0] > 0 }.min { loads[$0] < loads[$1] }
        let loop = room(for: host) ?? connected ?? idlest
        loads[loop] += 1
        host.sourced += 1
        let (claim, isMultiplexed) = (ConnectionClaim(), host.isMultiplexed)
        return Grant(hop: hop, loop: loop, host: host, isMultiplexed: isMultiplexed, hasConnection: false, claim: claim)
    }

    /// Whether there is a connection for a hop that claims one, on its loop.
    private func isFree(for grant: Grant) -> Bool {
        grant.host.hasRoomInUsedConnection(grant.loop)
            || connections < total && grant.host.usedConnections < perOrigin
    }

    /// Gives a connection to a hop that has claimed it.
    private mutating func take(_ grant: Grant) -> Grant {
        let host = grant.host
        grant.claim?.state = .running
        host.sending += 1
        let isMultiplexed = host.isMultiplexed
        return use(
            Grant(hop: grant.hop, loop: grant.loop, host: host, isMultiplexed: isMultiplexed, claim: grant.claim)
        )
    }

    private mutating func use(_ grant: Grant) -> Grant {
        var grant = grant
        change(grant.host) { host in
            host.running[grant.loop] += 1
            grant.isNew = host.used(grant.loop) > host.open[grant.loop]
            host.open[grant.loop] = max(host.open[grant.loop], host.used(grant.loop))
        }
        return grant
    }

    private mutating func change(_ host: ConnectionHost<Hop>, _ change: (ConnectionHost<Hop>) -> Void) {
        connections -= host.usedConnections
        change(host)
        connections += host.usedConnections
    }

    private var idlest: Int { loads.indices.min { loads[$0] < loads[$1] } ?? 0 }

    /// The loop for a hop with this origin; nil if it has to wait.
    private func room(for host: ConnectionHost<Hop>) -> Int? {
        // More may be open than in use: a hop that claims a connection opens one on its loop, beside an idle one elsewhere.
        let mayUseMore = connections < total && host.usedConnections < perOrigin
        var best: Int?
        for loop in loads.indices
        where host.hasIdleConnection(loop) && (mayUseMore || host.hasRoomInUsedConnection(loop)) {
            if best.map({ loads[loop] < loads[$0] }) ?? true { best = loop }
        }
        guard mayUseMore, host.openConnections < perOrigin else { return best }
        guard let best else { return idlest }
        return loads[best] > loads[idlest] + host.queueWorthAConnection ? idlest : best
    }
}
