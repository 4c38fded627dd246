import Foundation
import ReplicaSupport
import Synchronization
import Testing

@testable import RedisStores

@Suite(.withRedis, .timeLimit(.minutes(1))) struct RedisTests {
    @Test(arguments: [Data(), Data([0, 13, 10, 255]), Data(repeating: 7, count: 1 << 20)])
    func `Bytes come back as they were`(_ bytes: Data) async throws {
        try await RedisServer.run { server async throws in
            let redis = server.client
            #expect(try await redis.run(["SET", "key", bytes]) == .data(Data("OK".utf8)))
            #expect(try await redis.run(["GET", "key"]) == .data(bytes))
            #expect(try await redis.run(["STRLEN", "key"]) == .number(bytes.count))
            #expect(try await redis.run(["GET", "other"]) == .none)
        }
    }

    @Test func `A script runs, also after the server has forgotten it`() async throws {
        try await RedisServer.run { server async throws in
            let redis = server.client
            for _ in 0..<2 {
                for _ in 0..<3 {
                    #expect(try await redis.run("return redis.call('INCR', KEYS[1])", keys: ["a"]) != .none)
                }
                _ = try await redis.run(["SCRIPT", "FLUSH"])
            }
            #expect(try await redis.run(["GET", "a"]).data == Data("6".utf8))
        }
    }

    @Test func `A refusal is an error, of which the word is kept alone`() async throws {
        try await RedisServer.run { server async throws in
            let redis = server.client
            _ = try await redis.run(["SET", "secret-key", "secret-value"])
            await #expect(throws: RedisError.refused("WRONGTYPE")) {
                try await redis.run(["LPUSH", "secret-key", "a"])
            }
            var options = server.options
            options.account = { ["secret-password"] }
            await #expect(throws: RedisError.refused("WRONGPASS")) { try await Redis(options).run(["PING"]) }
            options.account = nil
            await #expect(throws: RedisError.refused("NOAUTH")) { try await Redis(options).run(["PING"]) }
        }
    }

    @Test func `Each connection asks for the password`() async throws {
        try await RedisServer.run { server async throws in
            let (right, wrong) = (server.password, "secret-password")
            let isRight = Atomic(false)
            var options = server.options
            (options.connections, options.account) = (1, { [isRight.load(ordering: .relaxed) ? right : wrong] })
            let redis = Redis(options)
            await #expect(throws: RedisError.refused("WRONGPASS")) { try await redis.run(["PING"]) }
            isRight.store(true, ordering: .relaxed)
            #expect(try await redis.run(["PING"]).data == Data("PONG".utf8))
            var text = ""
            dump(redis, to: &text)
            #expect(!text.contains(right) && !text.contains(wrong))
        }
    }

    @Test func `A server that is away is an error at once, and is found again`() async throws {
        try await RedisServer.run { server async throws in
            let redis = server.client
            for _ in 0..<8 { _ = try await redis.run(["PING"]) }
            await server.kill()
            await #expect(throws: RedisError.unreachable) { try await redis.run(["PING"]) }
            try await server.start()
            for _ in 0..<8 { _ = try await redis.run(["PING"]) }
            // The connections were closed by the server.
            await server.kill()
            try await server.start()
            for _ in 0..<8 { _ = try await redis.run(["PING"]) }
        }
    }

    @Test func `A server that does not answer is an error after the deadline, for all who wait`() async throws {
        try await RedisServer.run { server async throws in
            let redis = server.hastyClient
            _ = try await redis.run(["PING"])
            server.pause()
            let begin = ContinuousClock.now
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        await #expect(throws: RedisError.timedOut) { try await redis.run(["SET", "a", "1"]) }
                    }
                }
            }
            let time = ContinuousClock.now - begin
            #expect(time > .milliseconds(240) && time < .seconds(2), "\(time)")
            server.resume()
            _ = try await server.client.run(["PING"])
            #expect(try await redis.run(["ECHO", "late"]).data == Data("late".utf8))
        }
    }
}
