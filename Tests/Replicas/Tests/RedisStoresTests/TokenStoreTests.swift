import APIBaseKit
import Foundation
import ReplicaSupport
import Testing

@testable import RedisStores

@Suite(.withRedis, .timeLimit(.minutes(1))) struct TokenStoreTests {
    @Test func `A token is stored, found by others, and removed`() async throws {
        try await RedisServer.run { server in
            let (store, other) = (try store(server), try store(server))
            let first = StoredToken("a", expiresAt: Date(), refreshToken: "r", server: "https://api.example:443")
            #expect(try await store.load() == nil)
            #expect(try await store.replace(nil, with: first) == first)
            #expect(try await other.load() == first)
            #expect(try await store.replace(first, with: token(2)) == token(2))
            #expect(try await RedisTokenStore("another", on: server.client).load() == nil)
            try await other.removeAll()
            #expect(try await store.load() == nil)
            try await other.removeAll()
        }
    }

    @Test func `Of tokens that replace the same one, the first is kept`() async throws {
        try await RedisServer.run { server in
            let stores = try (0..<4).map { _ in try store(server) }
            for round in 0..<10 {
                let old = try await stores[0].load()
                let kept = try await withThrowingTaskGroup(of: StoredToken.self) { group in
                    for number in 1...20 {
                        group.addTask { try await stores[number % 4].replace(old, with: token(round * 20 + number)) }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                #expect(kept.count == 1)
                #expect(try await stores[0].load() == kept.first)
            }
        }
    }

    @Test func `A removal is not undone, but what the server has lost is stored again`() async throws {
        try await RedisServer.run { server in
            let store = try store(server)
            _ = try await store.replace(nil, with: token(1))
            try await store.removeAll()
            await #expect(throws: CancellationError.self) { try await store.replace(token(1), with: token(2)) }
            #expect(try await store.load() == nil)
            // The next sign-in.
            _ = try await store.replace(nil, with: token(3))
            _ = try await server.client.run(["FLUSHALL"])
            #expect(try await store.replace(token(3), with: token(4)) == token(4))
        }
    }

    @Test func `The same token once more is no conflict`() async throws {
        try await RedisServer.run { server in
            let store = try store(server)
            _ = try await store.replace(nil, with: token(1))
            #expect(try await store.replace(nil, with: token(1)) == token(1))
        }
    }

    @Test func `Encrypted tokens cannot be read on the server, nor without the key`() async throws {
        try await RedisServer.run { server async throws in
            let seal: RedisTokenStore.Seal = ({ Data($0.map { $0 ^ 0x5A }) }, { Data($0.map { $0 ^ 0x5A }) })
            let sealed = try RedisTokenStore("user", on: server.client, seal: seal)
            _ = try await sealed.replace(nil, with: StoredToken("canary", refreshToken: "second canary"))
            #expect(try await sealed.load()?.value == "canary")
            #expect(try await server.dump().range(of: Data("canary".utf8)) == nil)
            await #expect(throws: RedisError.notAToken) { try await store(server).load() }
            try await sealed.removeAll()
            #expect(try await store(server).load() == nil)
        }
    }

    @Test func `The server gets no name`() async throws {
        try await RedisServer.run { server in
            let store = try RedisTokenStore("canary", on: server.client)
            try await store.exclusively { _ = try await store.replace(nil, with: token(1)) }
            #expect(try await server.dump().range(of: Data("canary".utf8)) == nil)
        }
    }
}

/// A token with this number.
func token(_ number: Int) -> StoredToken { StoredToken("token \(number)", refreshToken: "refresh \(number)") }

/// A store with a client of its own, as in another process.
func store(_ server: RedisServer, lease: Duration = .seconds(5)) throws -> RedisTokenStore {
    try RedisTokenStore("user", on: server.client, lease: lease)
}
