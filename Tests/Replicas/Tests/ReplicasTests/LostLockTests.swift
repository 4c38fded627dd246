import Foundation
import ReplicaSupport
import Synchronization
import Testing

@testable import RedisStores

extension ReplicaTests {
    /// Processes that die or stop with the lock of a refresh. Its lease is two seconds.
    @Suite(.timeLimit(.minutes(2))) struct LostLockTests {
        @Test func `The lock of a killed process ends with its lease`() async throws {
            try await RedisServer.run { server in
                let replica = try ReplicaProcess("token", "replica", server)
                let store = try RedisTokenStore("user", on: server.client)
                try await replica.begin("hold")
                // It is renewed as long as the process is there.
                try await Task.sleep(for: .seconds(3))
                await replica.kill()
                let begin = ContinuousClock.now
                try await store.exclusively {}
                let time = ContinuousClock.now - begin
                #expect(time > .seconds(1) && time < .seconds(4), "\(time)")
            }
        }

        @Test func `A process that was stopped for longer than its lease overwrites nothing`() async throws {
            let stopped = Mutex<ReplicaProcess?>(nil)
            let upstream = try TokenUpstream { client in
                if client == "replica-0" { stopped.withLock { $0.take() }?.signal(SIGSTOP) }
            }
            try await RedisServer.run { server in
                try await ReplicaTests.signIn(on: server)
                let replicas = try ReplicaTests.start(2, "token", server, upstream.url)
                stopped.withLock { $0 = replicas[0] }
                // The first has got a new token, and is stopped before it stores it.
                async let late = replicas[0].ask("call 1")
                while upstream.state.last == 0 { await Task.yield() }
                #expect(try await replicas[1].ask("call 1")?.errors == [])
                let kept = try await RedisTokenStore("user", on: server.client).load()
                replicas[0].signal(SIGCONT)
                let answer = try await late
                #expect(answer?.errors == [])
                #expect(try await RedisTokenStore("user", on: server.client).load() == kept)
                #expect(kept?.value == "access-2")
                let state = upstream.state
                #expect(state.users == [0: ["replica-0", "replica-1"]] && state.refused.isEmpty)
                for replica in replicas { #expect(try await replica.ask("call 1")?.errors == []) }
                await replicas.kill()
            }
        }
    }
}
