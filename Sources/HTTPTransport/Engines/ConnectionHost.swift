import Basics

/// The connections with one origin, and the hops that wait for them.
final class ConnectionHost<Hop: AnyObject> {
    /// The number of hops that one connection carries over HTTP/2, as in libcurl.
    private static var streams: Int { 100 }

    /// Whether one connection carries many hops; nil before the first response.
    var isMultiplexed: Bool?
    /// By loop: the hops that run, and the connections that may be open.
    var running: [Int]
    var open: [Int]
    var waiting = Queue<Hop>()
    /// The hops with a source that have not begun. They wait for each other, and for no others.
    var waitingSourced = Queue<Hop>()
    /// The hops that have begun and claim a connection.
    var claims = Queue<ConnectionLimiter<Hop>.Grant>()
    /// The hops with a source that have begun, and those of them that have a connection.
    var sourced = 0
    var sending = 0
    var cancelled = 0
    var isCandidate = false

    init(loops: Int) {
        running = Array(repeating: 0, count: loops)
        open = running
    }

    var capacity: Int { isMultiplexed == true ? Self.streams : 1 }

    /// The number of connections that carry the hops of a loop.
    func used(_ loop: Int) -> Int { (running[loop] + capacity - 1) / capacity }

    var usedConnections: Int { running.indices.reduce(0) { $0 + used($1) } }

    /// The hops that use a connection.
    var hops: Int { running.reduce(0, +) }

    /// The hops that others leave room for: those whose sources have given nothing, up to half of all.
    func reserved(of connections: Int) -> Int { max(0, min(sourced, connections * capacity / 2) - sending) }

    var isWaiting: Bool { !waiting.isEmpty || !waitingSourced.isEmpty || !claims.isEmpty }

    var openConnections: Int { open.reduce(0, +) }

    func hasIdleConnection(_ loop: Int) -> Bool { running[loop] < open[loop] * capacity }

    func hasRoomInUsedConnection(_ loop: Int) -> Bool { running[loop] < used(loop) * capacity }

    /// The number of hops by which a loop with a connection may be busier than one without: over HTTP/2, where hops do
    /// not wait for each other, a new connection costs more than sharing.
    var queueWorthAConnection: Int { isMultiplexed == true ? 8 : 0 }

    var isIdle: Bool { !isWaiting && sourced == 0 && running.allSatisfy { $0 == 0 } }
}

/// The state of a hop whose body comes from a source, which all its grants share.
///
/// The hop owns it from its beginning to its end, and leaves then with whichever grant it has. The grant of its
/// connection may still be on its way; the code that finds that its hop has ended leaves with that one too. Only the
/// first time counts.
final class ConnectionClaim {
    enum State {
        /// The source has given nothing.
        case resting
        /// There is something to send, and no connection.
        case waiting
        case running
        case left
    }

    var state = State.resting
}
