import APIBaseKit
import Foundation
import ReplicaSupport
import Testing

@testable import RedisStores

@Suite(.withRedis, .timeLimit(.minutes(1))) struct LimiterTests {
    private let limit = RateLimit.Policy(quota: 10, window: .seconds(10))

    @Test func `The quota passes at once, and further calls one after the other`() async throws {
        try await RedisServer.run { server in
            let (limiter, other) = (RedisLimiter(on: server.client), RedisLimiter(on: server.client))
            let begin = ContinuousClock.now
            for _ in 0..<5 {
                #expect(try await limiter.wait(for: "api", limit: limit, now: Date()) == .zero)
                #expect(try await other.wait(for: "api", limit: limit, now: Date()) == .zero)
            }
            for number in 1...5 {
                let wait = try await limiter.wait(for: "api", limit: limit, now: Date())
                #expect(wait.isIn(.seconds(number), since: begin), "\(number): \(wait)")
            }
            #expect(try await limiter.wait(for: "another", limit: limit, now: Date()) == .zero)
        }
    }

    @Test func `Calls at the same time have different moments`() async throws {
        try await RedisServer.run { server in
            let fast = RateLimit.Policy(quota: 1, window: .seconds(1))
            let limiter = RedisLimiter(on: server.client)
            let begin = ContinuousClock.now
            let waits = try await withThrowingTaskGroup(of: Duration.self) { group in
                for _ in 0..<50 { group.addTask { try await limiter.wait(for: "api", limit: fast, now: Date()) } }
                return try await group.reduce(into: []) { $0.append($1) }.sorted()
            }
            for (number, wait) in waits.enumerated() { #expect(wait.isIn(.seconds(number), since: begin), "\(waits)") }
        }
    }

    @Test func `The clock of a replica does not matter`() async throws {
        try await RedisServer.run { server async throws in
            let limiter = RedisLimiter(on: server.client)
            let single = RateLimit.Policy(quota: 1, window: .seconds(10))
            #expect(try await limiter.wait(for: "api", limit: single, now: .distantFuture) == .zero)
            #expect(try await limiter.wait(for: "api", limit: single, now: .distantPast) > .seconds(9))
        }
    }

    @Test func `A pause holds for all, and then the rate counts again`() async throws {
        try await RedisServer.run { server in
            let (limiter, other) = (RedisLimiter(on: server.client), RedisLimiter(on: server.client))
            let begin = ContinuousClock.now
            try await limiter.pause("api", for: .seconds(5))
            // A shorter one changes nothing.
            try await limiter.pause("api", for: .seconds(1))
            for number in 0..<12 {
                let wait = try await other.wait(for: "api", limit: limit, now: Date())
                #expect(wait.isIn(.seconds(5 + max(0, number - 9)), since: begin), "\(number): \(wait)")
            }
            try await limiter.pause("another", for: .milliseconds(50))
            try await Task.sleep(for: .milliseconds(60))
            #expect(try await other.wait(for: "another", limit: limit, now: Date()) == .zero)
        }
    }

    @Test func `Places are taken, kept and given back`() async throws {
        try await RedisServer.run { server in
            let limiter = RedisLimiter(on: server.client)
            func take(_ id: String, lease: Duration = .seconds(10)) async throws -> Bool {
                try await limiter.takePlace(id, for: "api", of: 2, lease: lease)
            }
            #expect(try await [take("a"), take("b"), take("c"), take("a")] == [true, true, false, true])
            try await limiter.leavePlace("a", for: "api")
            try await limiter.leavePlace("a", for: "api")
            #expect(try await [take("c"), take("a")] == [true, false])
            #expect(try await limiter.takePlace("a", for: "another", of: 1, lease: .seconds(10)))
        }
    }

    @Test func `A place is free again after its lease, unless it is renewed`() async throws {
        try await RedisServer.run { server in
            let limiter = RedisLimiter(on: server.client)
            func take(_ id: String, lease: Duration) async throws -> Bool {
                try await limiter.takePlace(id, for: "api", of: 2, lease: lease)
            }
            #expect(try await take("a", lease: .seconds(10)))
            #expect(try await take("b", lease: .milliseconds(100)))
            #expect(try await take("b", lease: .seconds(1)))
            try await Task.sleep(for: .milliseconds(150))
            #expect(try await take("c", lease: .seconds(10)) == false)
            try await Task.sleep(for: .seconds(1))
            #expect(try await take("c", lease: .seconds(10)))
            #expect(try await take("b", lease: .seconds(10)) == false)
        }
    }

    @Test func `What is stored goes by itself`() async throws {
        try await RedisServer.run { server in
            let limiter = RedisLimiter(on: server.client)
            let short = RateLimit.Policy(quota: 10, window: .milliseconds(100))
            for _ in 0..<10 { _ = try await limiter.wait(for: "api", limit: short, now: Date()) }
            try await limiter.pause("api", for: .milliseconds(50))
            _ = try await limiter.takePlace("a", for: "api", of: 1, lease: .milliseconds(50))
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await server.client.run(["DBSIZE"]) == .number(0))
        }
    }

    @Test(arguments: ["away", "slow", "full", "read-only"])
    func `A server in trouble is an error in its time`(_ trouble: String) async throws {
        try await RedisServer.run { server in
            let limiter = RedisLimiter(on: trouble == "slow" ? server.hastyClient : server.client)
            _ = try await limiter.wait(for: "api", limit: limit, now: Date())
            switch trouble {
            case "away": await server.kill()
            case "slow": server.pause()
            case "full": _ = try await server.client.run(["CONFIG", "SET", "maxmemory", "1"])
            default: _ = try await server.client.run(["REPLICAOF", "127.0.0.1", "1"])
            }
            let begin = ContinuousClock.now
            await #expect(throws: RedisError.self) { try await limiter.wait(for: "api", limit: limit, now: Date()) }
            await #expect(throws: RedisError.self) { try await limiter.pause("api", for: .seconds(1)) }
            // A full server allows what removes something first.
            guard trouble != "full" else { return }
            await #expect(throws: RedisError.self) {
                try await limiter.takePlace("a", for: "api", of: 1, lease: .seconds(1))
            }
            #expect(.now - begin < .seconds(3))
        }
    }
}

extension Duration {
    /// Whether this wait ends when it should, reserved at some time since then.
    fileprivate func isIn(_ moment: Duration, since begin: ContinuousClock.Instant) -> Bool {
        self <= moment && self >= moment - (.now - begin) - .milliseconds(1)
    }
}
