import APIBaseKit
import Foundation
import ReplicaSupport
import Synchronization
import Testing

@testable import RedisStores

@Suite(.withRedis, .timeLimit(.minutes(1))) struct LockTests {
    @Test func `One has the lock at a time`() async throws {
        try await RedisServer.run { server in
            let stores = try (0..<4).map { _ in try store(server) }
            let room = Room()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await stores[number % 4].exclusively {
                            #expect(room.inside.wrappingAdd(1, ordering: .relaxed).newValue == 1)
                            await Task.yield()
                            room.turns.wrappingAdd(1, ordering: .relaxed)
                            room.inside.wrappingSubtract(1, ordering: .relaxed)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(room.turns.load(ordering: .relaxed) == 40)
        }
    }

    @Test func `Who has the lock passes it again, and leaves it with an error`() async throws {
        try await RedisServer.run { server in
            let store = try store(server, lease: .milliseconds(300))
            try await store.exclusively {
                try await store.exclusively { _ = try await store.replace(nil, with: token(1)) }
                try await store.removeAll()
            }
            await #expect(throws: POSIXError.self) { try await store.exclusively { throw POSIXError(.EIO) } }
            try await store.exclusively {}
        }
    }

    @Test func `Another user has another lock`() async throws {
        try await RedisServer.run { server in
            let other = try RedisTokenStore("another", on: server.client, lease: .milliseconds(10))
            try await store(server).exclusively { try await other.exclusively {} }
        }
    }

    @Test func `The wait for the lock has a limit, and ends if the task is canceled`() async throws {
        try await RedisServer.run { server in
            let hasty = try store(server, lease: .milliseconds(10))
            let patient = try store(server)
            try await store(server).exclusively {
                await #expect(throws: RedisError.lockNotFree) { try await elsewhere { try await hasty.exclusively {} } }
                let task = Task.detached { try await patient.exclusively {} }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            try await hasty.exclusively {}
        }
    }

    @Test func `The lock is renewed while the body runs`() async throws {
        try await RedisServer.run { server in
            let holder = try store(server, lease: .seconds(2))
            let other = try store(server, lease: .milliseconds(500))
            try await holder.exclusively {
                await #expect(throws: RedisError.lockNotFree) { try await elsewhere { try await other.exclusively {} } }
                _ = try await holder.replace(nil, with: token(1))
            }
        }
    }

    @Test func `Who has lost the lock to another stores a refresh of the present token, and nothing else`() async throws
    {
        try await RedisServer.run { server in
            let (late, other) = (try store(server), try store(server))
            try await late.exclusively {
                try await endLease(on: server)
                // Nobody else has had it.
                _ = try await late.replace(nil, with: token(1))
                try await elsewhere { try await other.exclusively {} }
                #expect(try await late.replace(token(1), with: token(2)) == token(2))
                // Another has signed out: a token in place of none would be a sign-in.
                try await elsewhere { try await other.removeAll() }
                await #expect(throws: RedisError.lockLost) { try await late.replace(nil, with: token(2)) }
                _ = try await elsewhere { try await other.replace(nil, with: token(3)) }
                #expect(try await late.replace(token(1), with: token(2)) == token(3))
            }
            #expect(try await late.load() == token(3))
            let kept = try await late.exclusively { try await late.replace(token(3), with: token(4)) }
            #expect(kept == token(4))
        }
    }

    @Test func `The numbers of holders grow, also if the server has lost the last one`() async throws {
        try await RedisServer.run { server in
            let (late, other) = (try store(server), try store(server))
            try await late.exclusively {
                _ = try await server.client.run(["FLUSHALL"])
                try await elsewhere { try await other.exclusively {} }
                await #expect(throws: RedisError.lockLost) { try await late.replace(nil, with: token(1)) }
            }
        }
    }

    @Test func `Who has lost the lock does not release that of another`() async throws {
        try await RedisServer.run { server in
            let (late, other) = (try store(server), try store(server))
            let third = try store(server, lease: .milliseconds(10))
            let (isTaken, taken) = AsyncStream.makeStream(of: Void.self)
            let (isOver, over) = AsyncStream.makeStream(of: Void.self)
            let task = try await late.exclusively {
                try await endLease(on: server)
                let task = Task.detached {
                    try await other.exclusively {
                        taken.finish()
                        for await _ in isOver {}
                    }
                }
                for await _ in isTaken {}
                return task
            }
            await #expect(throws: RedisError.lockNotFree) { try await third.exclusively {} }
            over.finish()
            try await task.value
            try await third.exclusively {}
        }
    }
}

/// Counts who is inside, and who has been.
private final class Room: Sendable {
    let inside = Atomic(0)
    let turns = Atomic(0)
}

/// Runs `body` as another process would, without the locks of this task.
private func elsewhere<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
    try await Task.detached(operation: body).value
}

/// Removes all locks, as if their leases had ended.
private func endLease(on server: RedisServer) async throws {
    let script = "for _, key in ipairs(redis.call('KEYS', '*:lock')) do redis.call('DEL', key) end"
    _ = try await server.client.run(script, keys: [])
}
