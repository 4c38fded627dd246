#if os(Linux) || os(Android)
/// Who may begin: no more exchanges with one origin, and with all together, than there are connections, first come,
/// first served. Waiting costs an exchange no time.
struct CurlTurns {
    private struct Host {
        var running = 0
        var multiplexes = false
    }

    /// Exchanges that one connection carries over HTTP/2, as libcurl has it.
    private static let streams = 100

    private let perHost: Int
    private let total: Int
    private var running = 0
    private var hosts: [Origin: Host] = [:]
    private var waiting: [CurlExchange] = []

    init(perHost: Int, total: Int) {
        self.perHost = max(1, perHost)
        self.total = max(1, total)
    }

    /// Whether the exchange may begin at once; otherwise it waits.
    mutating func enter(_ exchange: CurlExchange) -> Bool {
        guard mayBegin(exchange.origin) else {
            waiting.append(exchange)
            return false
        }
        begin(exchange.origin)
        return true
    }

    /// Gives a turn back.
    mutating func leave(_ origin: Origin) {
        running -= 1
        hosts[origin]?.running -= 1
        if let host = hosts[origin], host.running == 0, !host.multiplexes { hosts[origin] = nil }
    }

    /// The next exchange that may begin; nil if none may.
    mutating func next() -> CurlExchange? {
        guard running < total, let index = waiting.firstIndex(where: { mayBegin($0.origin) }) else { return nil }
        let exchange = waiting.remove(at: index)
        begin(exchange.origin)
        return exchange
    }

    /// Gives up waiting; false if the exchange did not wait.
    mutating func forget(_ exchange: CurlExchange) -> Bool {
        guard let index = waiting.firstIndex(where: { $0 === exchange }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Notes whether one connection with the origin carries many exchanges.
    mutating func note(_ origin: Origin, multiplexes: Bool) {
        guard multiplexes || hosts[origin]?.multiplexes == true else { return }
        hosts[origin, default: Host()].multiplexes = multiplexes
    }

    private func mayBegin(_ origin: Origin) -> Bool {
        guard let host = hosts[origin] else { return running < total }
        if host.multiplexes { return host.running / Self.streams < perHost }
        return running < total && host.running < perHost
    }

    private mutating func begin(_ origin: Origin) {
        running += 1
        hosts[origin, default: Host()].running += 1
    }
}
#endif
