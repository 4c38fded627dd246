import Basics
import TestTiers
import Testing

@testable import HTTPTransport

/// Whatever comes in whatever order: hops enter, leave, are cancelled, and responses tell.
@Suite struct ConnectionLimiterRandomizedTests {
    private final class Hop {
        let origin: Int
        let number: Int
        var isCancelled = false
        var beginnings = 0
        var isForgotten = false

        init(_ origin: Int, _ number: Int) {
            self.origin = origin
            self.number = number
        }
    }

    struct Limits: Sendable, CustomTestStringConvertible {
        let perOrigin: Int
        let total: Int
        let loops: Int
        /// Hops that are there at a time, about.
        let hops: Int

        var testDescription: String { "\(perOrigin)/\(total), \(loops) loops, \(hops) hops" }
    }

    /// The hops as they have to be, counted without the limiter.
    private struct Walk {
        static let origins = 5
        static let streams = 100

        let limits: Limits
        var limiter: ConnectionLimiter<Hop>
        var random: RandomNumbers
        var running: [ConnectionLimiter<Hop>.Grant] = []
        /// The hops that wait, by origin, in the order in which they came.
        var waiting: [[Hop]] = Array(repeating: [], count: origins)
        var all: [Hop] = []
        /// Whether a response of the origin has told that one connection carries many hops. Every second one's does.
        var isMultiplexed = Array(repeating: false, count: origins)
        var problems: [String] = []

        init(_ limits: Limits, seed: UInt64) {
            self.limits = limits
            limiter = ConnectionLimiter(perOrigin: limits.perOrigin, total: limits.total, loops: limits.loops)
            random = RandomNumbers(seed: seed)
        }

        static func origin(_ number: Int) -> Origin { Origin(scheme: "https", host: "h\(number)", port: 443) }

        mutating func enter() {
            let hop = Hop(Int.random(in: 0..<Self.origins, using: &random), all.count)
            all.append(hop)
            waiting[hop.origin].append(hop)
            began(limiter.enter(hop, to: Self.origin(hop.origin)))
        }

        mutating func leave() {
            guard !running.isEmpty else { return }
            let grant = running.remove(at: Int.random(in: 0..<running.count, using: &random))
            limiter.leave(grant)
            drain(sharing: grant)
        }

        mutating func tell() {
            guard !running.isEmpty else { return }
            let grant = running[Int.random(in: 0..<running.count, using: &random)]
            let origin = grant.hop.origin
            isMultiplexed[origin] = origin.isMultiple(of: 2)
            limiter.record(grant, isMultiplexed: isMultiplexed[origin])
            drain(sharing: grant)
        }

        mutating func cancel() {
            let origin = Int.random(in: 0..<Self.origins, using: &random)
            guard let hop = waiting[origin].filter({ !$0.isCancelled }).randomElement(using: &random) else { return }
            hop.isCancelled = true
            for hop in limiter.forget(to: Self.origin(origin), where: { $0.isCancelled }) {
                if !hop.isCancelled || hop.isForgotten || hop.beginnings > 0 { problems.append("forgot \(hop.number)") }
                hop.isForgotten = true
                waiting[origin].removeAll { $0 === hop }
            }
        }

        mutating func close() {
            for loop in 0..<limits.loops where running.allSatisfy({ $0.loop != loop }) {
                limiter.closedConnections(of: loop)
            }
        }

        private mutating func drain(sharing grant: ConnectionLimiter<Hop>.Grant? = nil) {
            while let next = limiter.next(sharing: grant) { began(next) }
        }

        private mutating func began(_ grant: ConnectionLimiter<Hop>.Grant?) {
            guard let grant else { return }
            let hop = grant.hop
            hop.beginnings += 1
            if hop.beginnings > 1 || hop.isForgotten { problems.append("\(hop.number) begins again") }
            if waiting[hop.origin].first !== hop { problems.append("\(hop.number) begins out of its order") }
            if !(0..<max(1, limits.loops)).contains(grant.loop) { problems.append("loop \(grant.loop)") }
            waiting[hop.origin].removeAll { $0 === hop }
            running.append(grant)
        }

        /// Connections that carry the hops of each origin, by loop, and whether there is room in one of them.
        private func use() -> [(connections: Int, hasRoom: Bool)] {
            var counts = Array(repeating: Array(repeating: 0, count: limits.loops), count: Self.origins)
            for grant in running { counts[grant.hop.origin][grant.loop] += 1 }
            return counts.indices.map { origin in
                let capacity = isMultiplexed[origin] ? Self.streams : 1
                let connections = counts[origin].map { ($0 + capacity - 1) / capacity }
                let hasRoom = zip(counts[origin], connections).contains { $0 < $1 * capacity }
                return (connections.reduce(0, +), hasRoom)
            }
        }

        mutating func check() {
            let use = use()
            let total = use.reduce(0) { $0 + $1.connections }
            if total > limits.total { problems.append("\(total) connections in all") }
            for origin in 0..<Self.origins where use[origin].connections > limits.perOrigin {
                problems.append("\(use[origin].connections) connections with origin \(origin)")
            }
            if limiter.running != running.count { problems.append("\(limiter.running) run, not \(running.count)") }
            let count = running.count + waiting.reduce(0) { $0 + $1.count }
            if limiter.count != count { problems.append("\(limiter.count) hops, not \(count)") }
            checkWaiting(use, total: total)
        }

        /// Nothing waits while it could begin. With all connections in use, hops that would share one may have to wait
        /// for another origin that has waited longer.
        private mutating func checkWaiting(_ use: [(connections: Int, hasRoom: Bool)], total: Int) {
            let wanting = (0..<Self.origins).filter { !waiting[$0].isEmpty && use[$0].connections < limits.perOrigin }
            for origin in 0..<Self.origins where !waiting[origin].isEmpty {
                let isFree = total < limits.total && use[origin].connections < limits.perOrigin
                let shares = use[origin].hasRoom && !wanting.contains { $0 != origin }
                if isFree || shares { problems.append("origin \(origin) waits and could begin") }
            }
        }
    }

    @Test(arguments: [
        Limits(perOrigin: 1, total: 1, loops: 1, hops: 10),
        Limits(perOrigin: 2, total: 3, loops: 2, hops: 20),
        Limits(perOrigin: 3, total: .max, loops: 4, hops: 30),
        Limits(perOrigin: 3, total: 7, loops: 4, hops: 60),
        Limits(perOrigin: 2, total: 4, loops: 3, hops: 600),
        Limits(perOrigin: 8, total: 6, loops: 8, hops: 1_500),
    ])
    func `ConnectionLimiter exceeds no limit and loses no request in a random series of starts and cancels`(
        _ limits: Limits
    ) {
        var walk = Walk(limits, seed: 1)
        let steps = load(5_000) * 2
        for step in 0..<steps where walk.problems.isEmpty {
            let isFull = walk.running.count + walk.waiting.reduce(0) { $0 + $1.count } > limits.hops
            // It fills and empties again and again.
            let entering = isFull ? 0 : (step * 4 / steps).isMultiple(of: 2) ? 75 : 20
            switch Int.random(in: 0..<100, using: &walk.random) {
            case 0..<entering: walk.enter()
            case entering..<88: walk.leave()
            case 88..<94: walk.tell()
            case 94..<99: walk.cancel()
            default: walk.close()
            }
            walk.check()
            if !walk.problems.isEmpty { Issue.record("seed 1, step \(step): \(walk.problems)") }
        }
        // All that are left end.
        while !walk.running.isEmpty, walk.problems.isEmpty {
            walk.leave()
            walk.check()
        }
        #expect(walk.problems.isEmpty)
        #expect(walk.limiter.count == 0)
        #expect(walk.all.allSatisfy { $0.isForgotten ? $0.beginnings == 0 : $0.beginnings == 1 })
    }
}
