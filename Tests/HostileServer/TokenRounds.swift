#if os(Linux)
package import Foundation

/// Eight processes with one file of tokens, which all need a new token at the same time.
package enum TokenRounds {
    /// What has happened.
    package struct Result: Sendable {
        /// The number of refreshes in each round.
        package var rounds: [Int]
        /// The number of calls that succeeded.
        package var succeeded = 0
        /// The refresh tokens that were used after they were replaced.
        package var reused: [String]
    }

    package static let processes = 8

    /// The file of an expired token, as a ``RotatingServer`` begins.
    package static func prepare(_ file: URL) throws {
        let folder = file.deletingLastPathComponent()
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: mode)
        try Data(#"{"value": "a0", "expiresAt": 0, "refreshToken": "r0"}"#.utf8).write(to: file)
    }

    /// Runs all processes for a number of rounds.
    package static func run(_ rounds: Int, in file: URL, _ children: Children) async throws -> Result {
        try prepare(file)
        let server = try RotatingServer(clients: processes)
        defer { server.stop() }
        let url = server.url.absoluteString
        let succeeded = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<processes {
                let kept = number.isMultiple(of: 2) ? "keep" : "new"
                group.addTask {
                    let lines = try await children.run(["tokens", "rounds", url, file.path, "\(rounds)", kept]).lines
                    return lines.first.flatMap { Int($0) } ?? 0
                }
            }
            return try await group.reduce(0, +)
        }
        // Before the first round, nobody has called.
        return Result(rounds: Array(server.rounds.dropFirst()), succeeded: succeeded, reused: server.reused)
    }
}
#endif
