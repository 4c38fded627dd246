import Basics

/// The limit of connections, which decides when each hop (a single request on the wire) begins, and on which event
/// loop: first come, first served for one origin, and in turn among several. Time limits do not count the wait.
///
/// A connection belongs to the loop that has opened it. A hop goes where its origin has an idle connection, and to
/// another loop only if that one is busier. So a program that sends one request after another uses one connection, and
/// one that sends many at once has them spread over all loops.
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
        self.perOrigin = max(1, perOrigin)
        self.total = max(1, total)
        loads = Array(repeating: 0, count: max(1, loops))
    }

    var running: Int { loads.reduce(0, +) }

    /// Grants the hop its turn, or queues it and returns nil.
    mutating func enter(_ hop: Hop, to origin: Origin) -> Grant? {
        count += 1
        let host = host(of: origin)
        if host.waiting.isEmpty, let loop = room(for: host) { return begin(hop, with: host, on: loop) }
        host.waiting.append(hop)
        offer(host)
        return nil
    }

    /// Records the end of a hop. Others may begin: ``next(sharing:)``.
    mutating func leave(_ grant: Grant) {
        count -= 1
        loads[grant.loop] -= 1
        change(grant.host) { $0.running[grant.loop] -= 1 }
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
        if connections >= total, let host = grant?.host, let loop = room(for: host), let hop = host.waiting.popFirst() {
            return begin(hop, with: host, on: loop)
        }
        while let host = candidates.first {
            let loop = room(for: host)
            // It stays the first in line while it waits for the connections of other origins.
            let isBlocked = connections >= total && host.usedConnections < perOrigin
            if loop == nil, isBlocked, !host.waiting.isEmpty { return nil }
            _ = candidates.popFirst()
            host.isCandidate = false
            // A host that is full is offered again when one of its hops leaves.
            guard let loop, let hop = host.waiting.popFirst() else { continue }
            offer(host)
            return begin(hop, with: host, on: loop)
        }
        return nil
    }

    /// Records that a waiting hop has been canceled. Canceled hops are removed once they are half of those that wait,
    /// and returned, to be released outside a lock.
    mutating func forget(to origin: Origin, where isCancelled: (Hop) -> Bool) -> [Hop] {
        guard let host = hosts[origin] else { return [] }
        host.cancelled += 1
        guard host.cancelled * 2 > host.waiting.count else { return [] }
        var forgotten: [Hop] = []
        host.waiting.removeAll { hop in
            guard isCancelled(hop) else { return false }
            forgotten.append(hop)
            return true
        }
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
        guard !host.isCandidate, !host.waiting.isEmpty else { return }
        host.isCandidate = true
        candidates.append(host)
    }

    private mutating func begin(_ hop: Hop, with host: ConnectionHost<Hop>, on loop: Int) -> Grant {
        loads[loop] += 1
        change(host) { host in
            host.running[loop] += 1
            host.open[loop] = max(host.open[loop], host.used(loop))
        }
        return Grant(hop: hop, loop: loop, host: host, isMultiplexed: host.isMultiplexed)
    }

    private mutating func change(_ host: ConnectionHost<Hop>, _ change: (ConnectionHost<Hop>) -> Void) {
        connections -= host.usedConnections
        change(host)
        connections += host.usedConnections
    }

    /// The loop for a hop with this origin; nil if it has to wait.
    private func room(for host: ConnectionHost<Hop>) -> Int? {
        let mayUseMore = connections < total
        var best: Int?
        for loop in loads.indices
        where host.hasIdleConnection(loop) && (mayUseMore || host.hasRoomInUsedConnection(loop)) {
            if best.map({ loads[loop] < loads[$0] }) ?? true { best = loop }
        }
        guard mayUseMore, host.openConnections < perOrigin else { return best }
        let idlest = loads.indices.min { loads[$0] < loads[$1] } ?? 0
        guard let best else { return idlest }
        return loads[best] > loads[idlest] + host.queueWorthAConnection ? idlest : best
    }
}

/// The connections with one origin, and the hops that wait for them.
private final class ConnectionHost<Hop: AnyObject> {
    /// The number of hops that one connection carries over HTTP/2, as in libcurl.
    private static var streams: Int { 100 }

    /// Whether one connection carries many hops; nil before the first response.
    var isMultiplexed: Bool?
    /// By loop: the hops that run, and the connections that may be open.
    var running: [Int]
    var open: [Int]
    var waiting = Queue<Hop>()
    var cancelled = 0
    var isCandidate = false

    init(loops: Int) {
        running = Array(repeating: 0, count: loops)
        open = running
    }

    private var capacity: Int { isMultiplexed == true ? Self.streams : 1 }

    /// The number of connections that carry the hops of a loop.
    func used(_ loop: Int) -> Int { (running[loop] + capacity - 1) / capacity }

    var usedConnections: Int { running.indices.reduce(0) { $0 + used($1) } }

    var openConnections: Int { open.reduce(0, +) }

    func hasIdleConnection(_ loop: Int) -> Bool { running[loop] < open[loop] * capacity }

    func hasRoomInUsedConnection(_ loop: Int) -> Bool { running[loop] < used(loop) * capacity }

    /// The number of hops by which a loop with a connection may be busier than one without: over HTTP/2, where hops do
    /// not wait for each other, a new connection costs more than sharing.
    var queueWorthAConnection: Int { isMultiplexed == true ? 8 : 0 }

    var isIdle: Bool { waiting.isEmpty && running.allSatisfy { $0 == 0 } }
}
