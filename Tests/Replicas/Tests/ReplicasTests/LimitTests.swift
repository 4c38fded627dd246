import Answers
import Foundation
import ReplicaSupport
import Testing

extension ReplicaTests {
    /// Eight processes whose gates have one limit.
    @Suite(.timeLimit(.minutes(5))) struct LimitTests {
        @Test func `Fifty a second are kept by all together`() async throws {
            let seconds = ReplicaTests.number("REPLICAS_SECONDS") ?? 10
            let upstream = try GateUpstream()
            try await RedisServer.run { server in
                let replicas = try await ready("limit", server, upstream)
                let answers = try await replicas.ask { _ in "rate 50 \(seconds)" }.compactMap(\.self)
                await replicas.kill()
                #expect(answers.count == 8 && answers.allSatisfy { $0.errors.isEmpty })
                let times = upstream.arrivals.map(\.time)
                let (first, last) = try (#require(times.first), #require(times.last))
                print("\(times.count) calls at the upstream in \(last - first) s")
                // The first may have arrived a tenth of a second late.
                #expect(Double(times.count) <= 50 * (last - first) + 55)
                #expect(Double(times.count) >= 0.97 * Double(50 * seconds))
                // In each second. A busy machine lets some arrive late, with those of the next moments.
                for (number, time) in times.enumerated() {
                    let count = times[number...].prefix { $0 < time + 1 }.count
                    #expect(count <= (time < first + 1 ? 105 : 60), "\(count) from \(time - first) s on")
                }
            }
        }

        @Test func `Without the store each keeps to its part, and all together go on when it is back`() async throws {
            let upstream = try GateUpstream()
            try await RedisServer.run { server in
                let replicas = try await ready("limit", server, upstream)
                async let answers = replicas.ask { _ in "rate 40 12" }
                try await Task.sleep(for: .seconds(3))
                await server.kill()
                let away = Date().timeIntervalSince1970
                try await Task.sleep(for: .seconds(4))
                try await server.start()
                let back = Date().timeIntervalSince1970
                for answer in try await answers { #expect(answer?.errors == []) }
                await replicas.kill()
                let arrivals = upstream.arrivals
                let alone = arrivals.filter { $0.time > away && $0.time < back }
                let parts = Dictionary(grouping: alone, by: \.replica).mapValues(\.count)
                print("while the store is away for \(back - away) s: \(parts)")
                // Five a second, after a burst of five, and one of a moment of before.
                #expect(parts.count == 8 && parts.values.allSatisfy { Double($0) <= 5 * (back - away) + 7 })
                #expect(Double(alone.count) >= 0.8 * 40 * (back - away))
                // A server that has lost its data begins with a burst. Each asks again within a second.
                let again = arrivals.filter { $0.time > back + 2 }.map(\.time)
                let time = try #require(again.last) - (back + 2)
                print("after it is back: \(again.count) in \(time) s")
                #expect((0.9 * 40 * time...40 * time + 41).contains(Double(again.count)))
            }
        }

        @Test func `Four at a time are kept by all together`() async throws {
            let upstream = try GateUpstream(takes: .milliseconds(100))
            try await RedisServer.run { server in
                let replicas = try await ready("limit", server, upstream)
                let answers = try await replicas.ask { _ in "places 4 3" }.compactMap(\.self)
                await replicas.kill()
                #expect(answers.count == 8 && answers.allSatisfy { $0.errors.isEmpty })
                print("\(upstream.arrivals.count) calls of 0.1 s in 3 s, at most \(upstream.most) at a time")
                #expect(upstream.most == 4)
                #expect(Set(upstream.arrivals.map(\.replica)).count == 8)
            }
        }

        /// Eight replicas, each of which has started.
        private func ready(
            _ job: String,
            _ server: RedisServer,
            _ upstream: GateUpstream
        ) async throws -> [ReplicaProcess] {
            let replicas = try ReplicaTests.start(8, job, server, upstream.url)
            for answer in try await replicas.ask({ _ in "rate 50 0" }) { #expect(answer?.errors == []) }
            return replicas
        }
    }
}
