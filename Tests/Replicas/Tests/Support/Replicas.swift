import Answers
import Foundation
import Testing

/// Processes with the kit, as replicas of one service.
public final class ReplicaProcess: Sendable {
    /// Its name.
    public let name: String
    private let program: Program

    /// Starts one.
    ///
    /// - Parameters:
    ///   - job: What it does.
    ///   - name: Its name.
    ///   - server: The Redis server.
    ///   - upstream: Where its calls go.
    /// - Throws: The error of the system.
    public init(_ job: String, _ name: String, _ server: RedisServer, _ upstream: URL? = nil) throws {
        self.name = name
        let folder = try #require(Bundle.main.executableURL?.deletingLastPathComponent())
        program = try Program(
            folder.appendingPathComponent("replica").path,
            [job, "\(server.port)", upstream?.absoluteString ?? "http://127.0.0.1:9", name],
            environment: ["REDIS_PASSWORD": server.password]
        )
    }

    /// Sends a command, and waits for the answer; `nil` if the process has ended.
    public func ask(_ command: String) async throws -> Answer? {
        try? program.send(command)
        guard let line = await program.line() else { return nil }
        return try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    }

    /// Sends a command, and waits until it says something.
    public func begin(_ command: String) async throws {
        try program.send(command)
        _ = await program.line()
    }

    /// Sends a signal, such as `SIGSTOP`.
    public func signal(_ number: Int32) { program.signal(number) }

    /// Ends it at once.
    public func kill() async {
        program.signal(SIGKILL)
        await program.end()
    }
}

extension [ReplicaProcess] {
    /// Sends a command to each, and waits for all answers.
    public func ask(_ command: (Int) -> String) async throws -> [Answer?] {
        try await withThrowingTaskGroup(of: Answer?.self) { group in
            for (number, replica) in enumerated() {
                let command = command(number)
                group.addTask { try await replica.ask(command) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Ends all.
    public func kill() async { for replica in self { await replica.kill() } }
}
