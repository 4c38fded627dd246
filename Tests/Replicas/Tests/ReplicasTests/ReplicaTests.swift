import APIBaseKit
import Foundation
import ReplicaSupport
import Testing

@testable import RedisStores

/// Tests with eight processes, one after the other.
@Suite(.withRedis, .serialized) enum ReplicaTests {
    /// Stores the first token, which has ended.
    static func signIn(on server: RedisServer) async throws {
        let first = StoredToken("access-0", expiresAt: .distantPast, refreshToken: "refresh-0")
        _ = try await RedisTokenStore("user", on: server.client).replace(nil, with: first)
    }

    /// Starts so many replicas.
    static func start(
        _ count: Int,
        _ job: String,
        _ server: RedisServer,
        _ upstream: URL? = nil
    ) throws -> [ReplicaProcess] {
        try (0..<count).map { try ReplicaProcess(job, "replica-\($0)", server, upstream) }
    }

    /// A number of the environment.
    static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
}
