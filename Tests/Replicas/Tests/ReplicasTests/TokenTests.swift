import APIBaseKit
import Answers
import Foundation
import ReplicaSupport
import Testing

@testable import RedisStores

extension ReplicaTests {
    /// Eight processes with one token.
    @Suite(.timeLimit(.minutes(40))) struct TokenTests {
        @Test func `For each token that has ended, one of all replicas gets the next`() async throws {
            let upstream = try TokenUpstream()
            try await RedisServer.run { server in
                try await ReplicaTests.signIn(on: server)
                let replicas = try ReplicaTests.start(8, "token", server, upstream.url)
                let rounds = ReplicaTests.number("REPLICAS_ROUNDS") ?? 20
                var (calls, longest) = (0, Duration.zero)
                for _ in 0..<rounds {
                    try await Task.sleep(for: .seconds(max(0, upstream.state.end.timeIntervalSinceNow)))
                    let begin = ContinuousClock.now
                    for answer in try await replicas.ask({ _ in "call 3" }) {
                        #expect(answer?.errors == [])
                        calls += answer?.done ?? 0
                    }
                    longest = max(longest, .now - begin)
                }
                await replicas.kill()
                let state = upstream.state
                #expect(calls == rounds * 24 && state.calls == calls)
                #expect(state.early == 0 && state.refused.isEmpty, "\(state.refused)")
                #expect(state.users.values.allSatisfy { $0.count == 1 })
                print("\(rounds) rounds, \(calls) calls, \(state.last) refreshes; the longest round took \(longest)")
                // A round that takes longer than a token lasts needs two.
                if longest < .seconds(TokenUpstream.lifetime) { #expect(state.last == rounds) }
            }
        }
    }
}
