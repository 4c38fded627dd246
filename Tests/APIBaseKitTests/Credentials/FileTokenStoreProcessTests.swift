#if os(Linux)
@testable import APIBaseSignIn
import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Processes that share a file of tokens, and that are killed.
@Suite(.limited) struct FileTokenStoreProcessTests {
    private static let rounds = load(40)
    private static let kills = load(80)
    private static let starts = load(300)

    private let folder = StorageFolder()
    private var file: URL { folder.url.appendingPathComponent("token") }

    @Test
    func `Eight processes with one token file that need a new token at the same time refresh it once`() async throws {
        let children = try #require(Children())
        let result = try await TokenRounds.run(Self.rounds, in: file, children)
        #expect(result.rounds == Array(repeating: 1, count: Self.rounds))
        #expect(result.succeeded == Self.rounds * TokenRounds.processes)
        #expect(result.reused.isEmpty)
    }

    /// The last host is no one's that shares the token.
    @Test(arguments: [(false, 0), (true, 1)])
    func `Starts of a program, four at a time, that call two hosts renew a shared token only when it has expired`(
        isExpired: Bool,
        renewals: Int
    ) async throws {
        let program = try #require(Children()).program
        let login = try RotatingServer()
        let hosts = try [TokenHost(), TokenHost(), TokenHost()]
        defer {
            login.stop()
            for host in hosts { host.server.stop() }
        }
        let end: Date = isExpired ? .distantPast : .distantFuture
        _ = try await FileTokenStore(at: file)
            .replace(nil, with: StoredToken("a0", expiresAt: end, refreshToken: "r0"))
        let arguments = ["tokens", "start", login.url.absoluteString, file.path] + hosts.map(\.name)
        let starts = Self.starts / 4
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<starts {
                        let output = try await Self.output(program, arguments)
                        #expect(output == "200\n200\n200\n")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(login.counts.tokens == renewals)
        #expect(login.reused.isEmpty)
        let tokens = hosts.map { $0.tokens.withLock { $0 } }
        #expect(
            tokens
                == ["Bearer a\(renewals)", "Bearer a\(renewals)", "none"].map {
                    Array(repeating: $0, count: 4 * starts)
                }
        )
    }

    /// What a child prints until it ends.
    private static func output(_ program: URL, _ arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "child").async {
                continuation.resume(
                    with: Result {
                        let (data, end) = try ChildProcess(program, arguments).finish()
                        #expect(end == .exit(0))
                        return String(decoding: data, as: UTF8.self)
                    }
                )
            }
        }
    }

    /// The server forgives the use of a token whose replacement was lost with the process, and no other.
    @Test
    func `Processes killed while refreshing leave a readable token file, free lock and no reused token`() async throws {
        let program = try #require(Children()).program
        try TokenRounds.prepare(file)
        let server = try RotatingServer(uses: 3, isForgiving: true)
        defer { server.stop() }
        let arguments = ["tokens", "calls", server.url.absoluteString, file.path, "0"]
        let store = FileTokenStore(at: file)
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var accepted = 0
                    for _ in 0..<(Self.kills / 4) {
                        accepted += try await Self.kill(program, arguments)
                        #expect(try await store.load()?.refreshToken != nil)
                    }
                    return accepted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(server.reused.isEmpty)
        #expect(server.counts.tokens >= Self.kills / 4)
        #expect(accepted > 0)
        // No lock is left, and at most one file of the last writer.
        try await store.exclusively {
            let token = try await store.load()
            let next = StoredToken("next", refreshToken: "next")
            #expect(try await store.replace(token, with: next) == next)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["token", "token.lock"])
    }

    /// Starts a child, and kills it some time after its first call. The number of calls that were accepted: others
    /// may have used up a token before its first call.
    private static func kill(_ program: URL, _ arguments: [String]) async throws -> Int {
        let data = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Data, any Error>) in
            DispatchQueue(label: "killer").async {
                continuation.resume(
                    with: Result {
                        let child = try ChildProcess(program, arguments)
                        let start = child.output.availableData
                        // The moment is what is random here.
                        usleep(.random(in: 0...50_000))
                        child.send(SIGKILL)
                        let (rest, end) = try child.finish()
                        #expect(end == .signal(SIGKILL))
                        return start + rest
                    }
                )
            }
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        #expect(!lines.isEmpty)
        return lines.filter { $0 == "200" }.count
    }
}
#endif
