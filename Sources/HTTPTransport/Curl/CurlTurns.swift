#if os(Linux) || os(Android)
/// Who may begin: no more exchanges with one origin, and with all together, than there are connections. First come,
/// first served with one origin, and in turn among many. Waiting costs an exchange no time.
struct CurlTurns {
    /// Exchanges that one connection carries over HTTP/2, as libcurl has it.
    private static let streams = 100

    /// Origins that are remembered though nothing is going on.
    private static let most = 1_000

    private let perHost: Int
    private let total: Int
    private var running = 0
    private var hosts: [Origin: CurlHost] = [:]
    /// Those with exchanges that wait, and might have their turn.
    private var open = Queue<CurlHost>()

    init(perHost: Int, total: Int) {
        self.perHost = max(1, perHost)
        self.total = max(1, total)
    }

    /// The host, if the exchange may begin at once; otherwise it waits.
    mutating func enter(_ exchange: CurlExchange) -> CurlHost? {
        let host = host(for: exchange.origin)
        guard host.waiting.isEmpty, hasRoom(host), running < total || host.isMultiplexed == true else {
            host.waiting.append(exchange)
            offer(host)
            return nil
        }
        begin(host)
        return host
    }

    /// Notes what an answer has told; more may have their turn then.
    mutating func note(_ host: CurlHost, isMultiplexed: Bool) {
        host.isMultiplexed = isMultiplexed
        offer(host)
    }

    /// Gives a turn back.
    mutating func leave(_ host: CurlHost) {
        running -= 1
        host.running -= 1
        offer(host)
    }

    /// The next exchange that may begin; nil if none may.
    mutating func next() -> (CurlExchange, CurlHost)? {
        while running < total, let host = open.popFirst() {
            host.isOffered = false
            guard hasRoom(host), let exchange = host.waiting.popFirst() else { continue }
            begin(host)
            offer(host)
            return (exchange, host)
        }
        return nil
    }

    /// Somebody who waits has been cancelled. Returns how many have been removed: all of them, once in a while.
    mutating func forget(_ exchange: CurlExchange) -> Int {
        guard let host = hosts[exchange.origin] else { return 0 }
        host.cancelled += 1
        guard host.cancelled * 2 > host.waiting.count else { return 0 }
        let before = host.waiting.count
        host.waiting.removeAll { $0.sink == nil }
        host.cancelled = 0
        return before - host.waiting.count
    }

    private mutating func host(for origin: Origin) -> CurlHost {
        if let host = hosts[origin] { return host }
        if hosts.count >= Self.most { hosts = hosts.filter { $0.value.running > 0 || !$0.value.waiting.isEmpty } }
        let host = CurlHost()
        hosts[origin] = host
        return host
    }

    private mutating func offer(_ host: CurlHost) {
        guard !host.isOffered, !host.waiting.isEmpty else { return }
        host.isOffered = true
        open.append(host)
    }

    private func hasRoom(_ host: CurlHost) -> Bool {
        (host.isMultiplexed == true ? host.running / Self.streams : host.running) < perHost
    }

    private mutating func begin(_ host: CurlHost) {
        running += 1
        host.running += 1
    }
}

/// What is known of an origin. Belongs to the thread that leads.
final class CurlHost {
    /// Whether one connection carries many exchanges; nil until an answer has told.
    fileprivate(set) var isMultiplexed: Bool?

    fileprivate var running = 0
    fileprivate var waiting = Queue<CurlExchange>()
    fileprivate var cancelled = 0
    fileprivate var isOffered = false
}
#endif
