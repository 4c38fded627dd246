import Answers
import Foundation
import ReplicaSupport
import Testing

extension ReplicaTests {
    /// Eight processes with one limit.
    @Suite(.timeLimit(.minutes(5))) struct LimitTests {
        @Test func `Fifty a second are kept by all together`() async throws {
            try await RedisServer.run { server in
                let replicas = try ReplicaTests.start(8, "limit", server)
                // The processes are there.
                for answer in try await replicas.ask({ _ in "run 50 0" }) { #expect(answer?.errors == []) }
                let seconds = ReplicaTests.number("REPLICAS_SECONDS") ?? 10
                let begin = Date().timeIntervalSince1970
                let answers = try await replicas.ask { _ in "run 50 \(seconds)" }.compactMap(\.self)
                await replicas.kill()
                #expect(answers.allSatisfy { $0.errors.isEmpty })
                let times = answers.flatMap(\.times).sorted()
                let burst = times.prefix { $0 < begin + 0.5 }.count
                print("\(times.count) turns in \(seconds) s, \(burst) of them in the first half second")
                let time = (times.last ?? begin) - begin
                #expect(Double(times.count) <= 50 * time + 51, "in \(time) s")
                #expect(Double(times.count) >= 0.97 * Double(50 * seconds))
                // In each second.
                for (number, time) in times.enumerated() {
                    let count = times[number...].prefix { $0 < time + 1 }.count
                    #expect(count <= (time < begin + 1 ? 105 : 55), "\(count) from \(time - begin) s on")
                }
            }
        }
    }
}
