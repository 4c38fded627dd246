import Foundation
import ReplicaSupport
import Testing

@testable import APIBaseCache
@testable import RedisStores

@Suite(.withRedis, .timeLimit(.minutes(1))) struct ResponseStorageTests {
    @Test func `Each URL and user has its bytes, which others find`() async throws {
        try await RedisServer.run { server in
            let (storage, other) = (try storage(server), try storage(server))
            let keys = (0..<3).flatMap { url in (0..<3).map { key(url, $0) } }
            for (number, key) in keys.enumerated() { try await storage.store(Data("\(number)".utf8), for: key) }
            for (number, key) in keys.enumerated() {
                #expect(try await other.data(for: key) == Data("\(number)".utf8))
            }
            try await storage.store(Data([0, 13, 10, 255]), for: keys[0])
            #expect(try await other.data(for: keys[0]) == Data([0, 13, 10, 255]))
            #expect(try await RedisResponseStorage("another", on: server.client).data(for: keys[0]) == nil)
        }
    }

    @Test func `A URL is removed for all users, by one for all`() async throws {
        try await RedisServer.run { server in
            let (storage, other) = (try storage(server), try storage(server))
            try await storage.removeAll(for: key(0, 0).url)
            for key in [key(0, 0), key(0, 1), key(1, 0)] { try await storage.store(Data("a".utf8), for: key) }
            try await other.removeAll(for: key(0, 0).url)
            #expect(try await storage.data(for: key(0, 0)) == nil)
            #expect(try await storage.data(for: key(0, 1)) == nil)
            #expect(try await storage.data(for: key(1, 0)) == Data("a".utf8))
            // The bytes are gone as well.
            #expect(try await server.client.run(["DBSIZE"]) == .number(3))
        }
    }

    @Test func `Everything is removed at once, and does not return`() async throws {
        try await RedisServer.run { server in
            let (storage, other) = (try storage(server), try storage(server))
            for round in 0..<3 {
                #expect(try await storage.data(for: key(0, 0)) == nil)
                try await storage.store(Data("\(round)".utf8), for: key(0, 0))
                try await storage.store(Data("\(round)".utf8), for: key(round + 1, 0))
                try await other.removeAll()
            }
            try await storage.store(Data("a".utf8), for: key(9, 0))
            for url in 0..<4 { #expect(try await storage.data(for: key(url, 0)) == nil) }
        }
    }

    @Test func `What is too large replaces what was stored by nothing`() async throws {
        try await RedisServer.run { server in
            var storage = try storage(server)
            storage.largest = 100
            try await storage.store(Data(count: 100), for: key(0, 0))
            #expect(try await storage.data(for: key(0, 0))?.count == 100)
            try await storage.store(Data(count: 101), for: key(0, 0))
            #expect(try await storage.data(for: key(0, 0)) == nil)
        }
    }

    @Test func `What is stored goes with its lifetime, and leaves nothing`() async throws {
        try await RedisServer.run { server in
            var storage = try storage(server)
            storage.lifetime = .milliseconds(500)
            for user in 1..<10 { try await storage.store(Data("a".utf8), for: key(0, user)) }
            #expect(try await storage.data(for: key(0, 9)) != nil)
            try await Task.sleep(for: .milliseconds(300))
            try await storage.store(Data("a".utf8), for: key(0, 10))
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await storage.data(for: key(0, 1)) == nil)
            // Of the users of a URL that is still in use, the first are gone.
            try await storage.store(Data("a".utf8), for: key(0, 11))
            let count = "return redis.call('ZCARD', redis.call('KEYS', '*:\(key(0, 0).url)')[1])"
            #expect(try await server.client.run(count, keys: []) == .number(2))
            try await Task.sleep(for: .milliseconds(600))
            #expect(try await server.client.run(["DBSIZE"]) == .number(1))
        }
    }

    @Test func `A full server keeps what it has, and can be emptied`() async throws {
        try await RedisServer.run { server in
            let storage = try storage(server)
            for url in 0..<2 { try await storage.store(Data("a".utf8), for: key(url, 0)) }
            _ = try await server.client.run(["CONFIG", "SET", "maxmemory", "1"])
            await #expect(throws: RedisError.refused("OOM")) {
                try await storage.store(Data("b".utf8), for: key(0, 0))
            }
            #expect(try await storage.data(for: key(0, 0)) == Data("a".utf8))
            try await storage.removeAll(for: key(0, 0).url)
            #expect(try await storage.data(for: key(0, 0)) == nil)
            #expect(try await storage.data(for: key(1, 0)) == Data("a".utf8))
            try await storage.removeAll()
            #expect(try await storage.data(for: key(1, 0)) == nil)
        }
    }

    @Test func `A server that can only be read is read`() async throws {
        try await RedisServer.run { server in
            let storage = try storage(server)
            try await storage.store(Data("a".utf8), for: key(0, 0))
            _ = try await server.client.run(["REPLICAOF", "127.0.0.1", "1"])
            #expect(try await storage.data(for: key(0, 0)) == Data("a".utf8))
            await #expect(throws: RedisError.refused("READONLY")) {
                try await storage.store(Data("b".utf8), for: key(0, 0))
            }
            await #expect(throws: RedisError.refused("READONLY")) { try await storage.removeAll() }
            await #expect(throws: RedisError.refused("READONLY")) { try await storage.removeAll(for: key(0, 0).url) }
        }
    }

    @Test func `A server that is away, does not answer or has lost everything`() async throws {
        try await RedisServer.run { server in
            let storage = try storage(server)
            let hasty = try RedisResponseStorage("api", on: server.hastyClient)
            try await storage.store(Data("a".utf8), for: key(0, 0))
            server.pause()
            let begin = ContinuousClock.now
            await #expect(throws: RedisError.timedOut) { try await hasty.data(for: key(0, 0)) }
            await #expect(throws: RedisError.timedOut) { try await hasty.store(Data(count: 1 << 20), for: key(0, 0)) }
            #expect(.now - begin < .seconds(2))
            await server.kill()
            await #expect(throws: RedisError.unreachable) { try await storage.data(for: key(0, 0)) }
            try await server.start()
            #expect(try await storage.data(for: key(0, 0)) == nil)
            try await storage.store(Data("b".utf8), for: key(0, 0))
            #expect(try await storage.data(for: key(0, 0)) == Data("b".utf8))
        }
    }

    @Test func `Of several that miss a response, the others wait until the first has stored it`() async throws {
        try await RedisServer.run { server in
            let first = try storage(server, patience: .seconds(30))
            let other = try storage(server, patience: .seconds(30))
            #expect(try await first.data(for: key(0, 0)) == nil)
            // It may ask again.
            #expect(try await first.data(for: key(0, 0)) == nil)
            #expect(try await other.data(for: key(0, 1)) == nil)
            let waiting = Task { try await other.data(for: key(0, 0)) }
            let redis = server.client
            while try await !redis.hasRun("eval", 10) {}
            try await first.store(Data("a".utf8), for: key(0, 0))
            #expect(try await waiting.value == Data("a".utf8))
            #expect(try await other.data(for: key(0, 0)) == Data("a".utf8))
        }
    }

    @Test func `The wait for another ends with the patience, and if it is canceled`() async throws {
        try await RedisServer.run { server in
            let first = try storage(server, patience: .seconds(30))
            let other = try storage(server, patience: .seconds(1))
            #expect(try await first.data(for: key(0, 0)) == nil)
            let begin = ContinuousClock.now
            #expect(try await other.data(for: key(0, 0)) == nil)
            #expect(.now - begin > .seconds(1))
            let waiting = Task { try await storage(server, patience: .seconds(30)).data(for: key(0, 0)) }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    private func storage(_ server: RedisServer, patience: Duration = .zero) throws -> RedisResponseStorage {
        var storage = try RedisResponseStorage("api", on: server.client)
        storage.patience = patience
        return storage
    }

    /// A key with digests of these numbers.
    private func key(_ url: Int, _ user: Int) -> ResponseKey {
        ResponseKey(url: String(format: "%064x", url), user: String(format: "%064x", user))
    }
}

extension Redis {
    /// Whether the server has run a command this often.
    fileprivate func hasRun(_ command: String, _ count: Int) async throws -> Bool {
        let text = String(decoding: try await run(["INFO", "commandstats"]).data ?? Data(), as: UTF8.self)
        let calls = text.components(separatedBy: "cmdstat_\(command):calls=").last?.prefix { $0.isNumber }
        return (calls.flatMap { Int($0) } ?? 0) >= count
    }
}
