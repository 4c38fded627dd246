import Locking

/// Lets no more exchanges with one host begin than the engine has turns for, first come, first served.
///
/// Waiting costs an exchange no time: its clocks start with its turn.
final class HostLimiter: Sendable {
    fileprivate struct Host {
        var running = 0
        var waiting: [URLSessionExchange] = []
    }

    private let limit: Int
    private let hosts: Locked<[Origin: Host]> = Locked([:])

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Exchanges that have their turn. Zero once every exchange has ended, however it ended.
    var runningCount: Int {
        hosts.withLock { $0.values.reduce(0) { $0 + $1.running } }
    }

    /// Lets the exchange begin, now or when it is its turn.
    func enter(_ exchange: URLSessionExchange, to origin: Origin) {
        let mayRun = hosts.withLock { hosts in
            if hosts[origin, default: Host()].running < limit {
                hosts[origin, default: Host()].running += 1
                return true
            }
            hosts[origin, default: Host()].waiting.append(exchange)
            return false
        }
        if mayRun, !exchange.begin() { leave(origin) }
    }

    /// Gives up waiting. Nothing happens if the exchange does not wait.
    func forget(_ exchange: URLSessionExchange, to origin: Origin) {
        let forgotten = hosts.withLock { hosts in
            hosts[origin]?.waiting.firstIndex { $0 === exchange }.flatMap { hosts[origin]?.waiting.remove(at: $0) }
        }
        _ = forgotten
    }

    /// Gives the turn back; it goes to the first that still wants it.
    func leave(_ origin: Origin) {
        while let next = hosts.withLock({ $0.handOver(at: origin) }) {
            if next.begin() { return }
        }
    }
}

extension [Origin: HostLimiter.Host] {
    /// The exchange that takes over a turn; without one, the turn is free.
    fileprivate mutating func handOver(at origin: Origin) -> URLSessionExchange? {
        guard var host = self[origin] else { return nil }
        if !host.waiting.isEmpty {
            let next = host.waiting.removeFirst()
            self[origin] = host
            return next
        }
        host.running -= 1
        self[origin] = host.running > 0 ? host : nil
        return nil
    }
}
