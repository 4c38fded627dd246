import Basics
import Foundation

/// The address that the calls of an API go to.
final class ServerChoice: Sendable {
    fileprivate struct Server {
        var failures = 0
        /// The end of its rest, after which one call tries it.
        var restsUntil: Duration?
        /// Until then a call tries it. That call may be canceled.
        var isTriedUntil: Duration?
    }

    fileprivate struct State {
        var current = 0
        var servers: [Server]
    }

    let servers: [URL]
    private let rule: Failover
    private let state: Locked<State>

    init(_ servers: [URL], _ rule: Failover) {
        (self.servers, self.rule) = (servers, rule)
        state = Locked(State(servers: servers.map { _ in Server() }))
    }

    /// The address for a call: the one in use, or an earlier one that has rested, which the call alone tries.
    func server(at now: Duration) -> (index: Int, isTrial: Bool) {
        state.withLock { state in
            for index in 0..<state.current where state.rest(index, at: now) == .zero {
                guard state.servers[index].isTriedUntil ?? now <= now else { continue }
                state.servers[index].isTriedUntil = now + rule.restsFor
                return (index, true)
            }
            return (state.current, false)
        }
    }

    /// Takes a sign of the health of an address. A late one, of an address that was given up meanwhile, changes nothing.
    ///
    /// - Returns: The addresses in use before and after, if they differ.
    func succeeded(_ index: Int, isTrial: Bool) -> (from: Int, to: Int)? {
        state.withLock { state in
            guard isTrial || index == state.current else { return nil }
            state.servers[index] = Server()
            guard index < state.current else { return nil }
            defer { state.current = index }
            return (state.current, index)
        }
    }

    /// Takes a failure of an address, which is given up if it cannot be reached, or has failed too often.
    ///
    /// - Returns: Whether it was given up, and the addresses in use before and after, if they differ.
    func failed(
        _ index: Int,
        isTrial: Bool,
        isUnreachable: Bool,
        at now: Duration
    ) -> (isGivenUp: Bool, change: (from: Int, to: Int)?) {
        state.withLock { state in
            // It was given up meanwhile.
            guard isTrial || index == state.current || state.rest(index, at: now) == .zero else { return (true, nil) }
            state.servers[index].failures += 1
            guard isTrial || isUnreachable || state.servers[index].failures >= rule.failures else {
                return (false, nil)
            }
            state.servers[index] = Server(restsUntil: now + rule.restsFor)
            guard index == state.current else { return (true, nil) }
            // The next one that does not rest; if all do, the one that has rested longest.
            let others = (1..<servers.count).map { (index + $0) % servers.count }
            let next = others.min { state.rest($0, at: now) < state.rest($1, at: now) } ?? index
            state.current = next
            return (true, (index, next))
        }
    }

    /// The address for a call that has tried some: the one in use, or another that does not rest; `nil` if there is none.
    func server(besides tried: Set<Int>, at now: Duration) -> Int? {
        state.withLock { state in
            let order = servers.indices.map { (state.current + $0) % servers.count }
            return order.first { !tried.contains($0) && ($0 == state.current || state.rest($0, at: now) == .zero) }
        }
    }

    /// A call that tried an address has ended without a sign of its health.
    func untried(_ index: Int) { state.withLock { $0.servers[index].isTriedUntil = nil } }
}

extension ServerChoice.State {
    /// The rest of an address that is left; zero for one that does not rest.
    fileprivate func rest(_ index: Int, at now: Duration) -> Duration {
        max(.zero, (servers[index].restsUntil ?? now) - now)
    }
}
