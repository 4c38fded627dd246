import Answers
import Foundation
import ReplicaSupport
import Testing

@testable import RedisStores

extension ReplicaTests {
    /// Eight processes with one token, of which one is killed at any moment, or the Redis server.
    @Suite(.timeLimit(.minutes(20))) struct KillTests {
        @Test func `Nobody is signed out, and only the dead have used a refresh token in vain`() async throws {
            // An answer takes a moment, in which its client may die.
            let upstream = try TokenUpstream { _ in Thread.sleep(forTimeInterval: 0.05) }
            let kills = ReplicaTests.number("REPLICAS_KILLS") ?? 6
            let restarts = ReplicaTests.number("REPLICAS_RESTARTS") ?? 2
            try await RedisServer.run("appendonly yes", "appendfsync always") { server in
                try await ReplicaTests.signIn(on: server)
                var replicas = try ReplicaTests.start(8, "token", server, upstream.url)
                var (dead, longest, failed): (Set<String>, Duration, Int) = ([], .zero, 0)
                let rounds = Array(repeating: true, count: kills) + Array(repeating: false, count: restarts)
                for (round, killsReplica) in rounds.shuffled().enumerated() {
                    try await Task.sleep(for: .seconds(max(0, upstream.state.end.timeIntervalSinceNow)))
                    let begin = ContinuousClock.now
                    if killsReplica {
                        let number = Int.random(in: 0..<8)
                        let victim = replicas[number]
                        dead.insert(victim.name)
                        // It has answered if it was quick.
                        let living = try await ask(replicas) { await victim.kill() }.compactMap(\.self)
                        #expect(living.count >= 7 && living.allSatisfy { $0.errors.isEmpty }, "\(living.map(\.errors))")
                        let name = "replica-\(number)-\(round)"
                        replicas[number] = try ReplicaProcess("token", name, server, upstream.url)
                    } else {
                        let answers = try await ask(replicas) {
                            await server.kill()
                            try await server.start()
                        }
                        let errors = answers.flatMap { $0?.errors ?? ["dead"] }
                        #expect(errors.allSatisfy { away.contains($0) }, "\(errors)")
                        failed += errors.count
                    }
                    longest = max(longest, .now - begin)
                    for answer in try await replicas.ask({ _ in "call 1" }) { #expect(answer?.errors == []) }
                }
                await replicas.kill()
                let state = upstream.state
                #expect(state.refused.isEmpty, "\(state.refused)")
                let repeated = state.users.values.filter { $0.count > 1 }
                #expect(repeated.allSatisfy { dead.isSuperset(of: $0.dropLast()) }, "\(repeated), dead: \(dead)")
                // The lease is two seconds.
                #expect(longest < .seconds(8))
                print(
                    "\(kills) processes and \(restarts) times the server killed: \(repeated.count) refreshes lost,",
                    "\(failed) calls failed, the longest round took \(longest)"
                )
            }
        }

        /// What calls fail with while the server is away.
        private let away = ["unreachable", "timedOut", #"refused("LOADING")"#]

        /// Has all call at a time, and something happen meanwhile.
        private func ask(_ replicas: [ReplicaProcess], meanwhile: () async throws -> Void) async throws -> [Answer?] {
            async let answers = replicas.ask { _ in "call 3" }
            try await Task.sleep(for: .milliseconds(.random(in: 0...100)))
            try await meanwhile()
            return try await answers
        }
    }
}
