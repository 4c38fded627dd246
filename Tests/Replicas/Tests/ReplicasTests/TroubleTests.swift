import Foundation
import ReplicaSupport
import Testing

@testable import RedisStores

extension ReplicaTests {
    /// Eight processes whose Redis server is in trouble.
    @Suite(.timeLimit(.minutes(2))) struct TroubleTests {
        /// What may go wrong.
        enum Trouble: String, CaseIterable { case away, slow, full, readOnly, wrongPassword }

        @Test(arguments: Trouble.allCases)
        func `Without the store, no token is lost`(_ trouble: Trouble) async throws {
            let upstream = try TokenUpstream()
            try await RedisServer.run("appendonly yes", "appendfsync always") { server in
                try await ReplicaTests.signIn(on: server)
                let replicas = try ReplicaTests.start(8, "token", server, upstream.url)
                for answer in try await replicas.ask({ _ in "call 1" }) { #expect(answer?.errors == []) }
                try await begin(trouble, on: server)
                try await Task.sleep(for: .seconds(max(0, upstream.state.end.timeIntervalSinceNow)))
                let begin = ContinuousClock.now
                let errors = try await replicas.ask { _ in "call 1" }.flatMap { $0?.errors ?? [] }
                #expect(errors.count == 8 && Set(errors).isSubset(of: trouble.errors), "\(errors)")
                #expect(.now - begin < .seconds(5))
                #expect(upstream.state.last == 1)
                try await end(trouble, on: server)
                for answer in try await replicas.ask({ _ in "call 1" }) { #expect(answer?.errors == []) }
                await replicas.kill()
                let state = upstream.state
                #expect(state.last == 2 && state.refused.isEmpty && state.users.values.allSatisfy { $0.count == 1 })
            }
        }

        @Test(arguments: Trouble.allCases)
        func `Without the store, calls go on without a cache`(_ trouble: Trouble) async throws {
            let upstream = try CacheUpstream()
            try await RedisServer.run { server in
                let replicas = try ReplicaTests.start(8, "cache", server, upstream.url)
                try await begin(trouble, on: server)
                for turn in 1...2 {
                    for answer in try await replicas.ask({ _ in "get \(turn) 0" }) { #expect(answer?.errors == []) }
                }
                #expect(upstream.count == 16)
                await replicas.kill()
            }
        }

        private func begin(_ trouble: Trouble, on server: RedisServer) async throws {
            switch trouble {
            case .away: await server.kill()
            case .slow: server.pause()
            case .full: _ = try await server.client.run(["CONFIG", "SET", "maxmemory", "1"])
            case .readOnly: _ = try await server.client.run(["REPLICAOF", "127.0.0.1", "1"])
            case .wrongPassword:
                _ = try await server.client.run(["CONFIG", "SET", "requirepass", "another"])
                _ = try? await another(server).run(["CLIENT", "KILL", "TYPE", "normal"])
            }
        }

        private func end(_ trouble: Trouble, on server: RedisServer) async throws {
            switch trouble {
            case .away: try await server.start()
            case .slow: server.resume()
            case .full: _ = try await server.client.run(["CONFIG", "SET", "maxmemory", "0"])
            case .readOnly: _ = try await server.client.run(["REPLICAOF", "NO", "ONE"])
            case .wrongPassword: _ = try await another(server).run(["CONFIG", "SET", "requirepass", server.password])
            }
        }

        /// A client with the password of the trouble.
        private func another(_ server: RedisServer) -> Redis {
            var options = server.options
            options.account = { ["another"] }
            return Redis(options)
        }
    }
}

extension ReplicaTests.TroubleTests.Trouble {
    /// What the calls fail with.
    fileprivate var errors: Set<String> {
        switch self {
        case .away: ["unreachable"]
        case .slow: ["timedOut"]
        case .full: [#"refused("OOM")"#]
        case .readOnly: [#"refused("READONLY")"#]
        case .wrongPassword: [#"refused("WRONGPASS")"#]
        }
    }
}
