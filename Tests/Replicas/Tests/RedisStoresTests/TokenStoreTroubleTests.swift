import APIBaseKit
import Foundation
import ReplicaSupport
import Testing

@testable import RedisStores

@Suite(.withRedis, .timeLimit(.minutes(1))) struct TokenStoreTroubleTests {
    @Test func `Without the server, each method is an error in its time`() async throws {
        try await RedisServer.run { server in
            let store = try store(server, lease: .milliseconds(300))
            await server.kill()
            await #expect(throws: RedisError.unreachable) { try await store.load() }
            await #expect(throws: RedisError.unreachable) { try await store.exclusively {} }
            await #expect(throws: RedisError.unreachable) { try await store.removeAll() }
            await #expect(throws: RedisError.unreachable) { try await store.replace(nil, with: token(1)) }
        }
    }

    @Test func `With a server that does not answer, each method is an error in its time`() async throws {
        try await RedisServer.run { server in
            let store = try RedisTokenStore("user", on: server.hastyClient, lease: .milliseconds(300))
            server.pause()
            let begin = ContinuousClock.now
            await #expect(throws: RedisError.timedOut) { try await store.load() }
            #expect(.now - begin < .seconds(1))
            await #expect(throws: RedisError.timedOut) { try await store.exclusively {} }
            await #expect(throws: RedisError.timedOut) { try await store.removeAll() }
            await #expect(throws: RedisError.timedOut) { try await store.replace(nil, with: token(1)) }
            #expect(.now - begin < .seconds(5))
            server.resume()
            #expect(try await RedisTokenStore("user", on: server.client).replace(nil, with: token(1)) == token(1))
        }
    }

    @Test func `A new token waits for the server to be back`() async throws {
        try await RedisServer.run("appendonly yes", "appendfsync always") { server in
            let store = try store(server)
            _ = try await store.replace(nil, with: token(1))
            try await store.exclusively {
                await server.kill()
                async let kept = store.replace(token(1), with: token(2))
                try await server.start()
                #expect(try await kept == token(2))
            }
            await server.kill()
            try await server.start()
            #expect(try await store.load() == token(2))
        }
    }

    @Test func `A full server keeps what it has`() async throws {
        try await RedisServer.run { server in
            let store = try store(server, lease: .milliseconds(100))
            _ = try await store.replace(nil, with: token(1))
            _ = try await server.client.run(["CONFIG", "SET", "maxmemory", "1"])
            await #expect(throws: RedisError.refused("OOM")) { try await store.replace(token(1), with: token(2)) }
            await #expect(throws: RedisError.refused("OOM")) { try await store.exclusively {} }
            #expect(try await store.load() == token(1))
        }
    }

    @Test func `A server that can only be read still has the token`() async throws {
        try await RedisServer.run { server in
            let store = try store(server, lease: .milliseconds(100))
            _ = try await store.replace(nil, with: token(1))
            _ = try await server.client.run(["REPLICAOF", "127.0.0.1", "1"])
            await #expect(throws: RedisError.refused("READONLY")) { try await store.replace(token(1), with: token(2)) }
            #expect(try await store.load() == token(1))
            _ = try await server.client.run(["REPLICAOF", "NO", "ONE"])
            #expect(try await store.replace(token(1), with: token(2)) == token(2))
        }
    }

    @Test func `Without the password, there is no token`() async throws {
        try await RedisServer.run { server in
            var options = server.options
            options.account = { ["wrong"] }
            let store = try RedisTokenStore("user", on: Redis(options))
            await #expect(throws: RedisError.refused("WRONGPASS")) { try await store.load() }
            await #expect(throws: RedisError.refused("WRONGPASS")) { try await store.exclusively {} }
        }
    }
}
