import Foundation
import Synchronization
import Testing

@testable public import RedisStores

/// A Redis server on a free port of loopback, with a password, in a temporary folder.
public final class RedisServer: Sendable {
    /// The program; `nil` if it is not installed.
    public static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/redis-server" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The password of the default user.
    public let password = UUID().uuidString
    /// The port, which stays the same after a restart.
    public let port: Int
    /// The folder of its files.
    public let folder: URL

    private let program = Mutex<Program?>(nil)

    private init(_ settings: [String]) throws {
        port = try freePort()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("redis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lines = [
            "port \(port)", "bind 127.0.0.1", "dir \(folder.path)", "requirepass \(password)", "save \"\"",
            "rdbcompression no", "enable-debug-command yes",
        ]
        try (lines + settings).joined(separator: "\n").write(to: configuration, atomically: true, encoding: .utf8)
    }

    private var configuration: URL { folder.appendingPathComponent("redis.conf") }

    /// Runs a server while `body` does, which gets it.
    ///
    /// - Parameters:
    ///   - settings: More lines of its configuration. By default it keeps nothing when it ends.
    ///   - body: What to do meanwhile.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`; ``NotStarted``.
    public static func run<R>(_ settings: String..., body: (RedisServer) async throws -> R) async throws -> R {
        let server = try await started(settings)
        defer { try? FileManager.default.removeItem(at: server.folder) }
        let result: Result<R, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        await server.kill()
        return try result.get()
    }

    /// Another process may take the port before the server does.
    private static func started(_ settings: [String]) async throws -> RedisServer {
        for _ in 0..<5 {
            let server = try RedisServer(settings)
            if (try? await server.start()) != nil { return server }
            try? FileManager.default.removeItem(at: server.folder)
        }
        throw NotStarted()
    }

    /// The server could not be started.
    public struct NotStarted: Error {}

    /// Starts it, again, and waits until it takes commands.
    public func start() async throws {
        guard let path = Self.path else { throw NotStarted() }
        let new = try Program(path, [configuration.path])
        program.withLock { $0 = new }
        while let line = await new.line() { if line.contains("Ready to accept connections") { return } }
        throw NotStarted()
    }

    /// Ends it at once, as a failure of its machine would.
    public func kill() async {
        let program = program.withLock { $0 }
        program?.signal(SIGKILL)
        await program?.end()
    }

    /// Has it answer nothing until ``resume()``.
    public func pause() { program.withLock { $0 }?.signal(SIGSTOP) }

    /// Has it answer again.
    public func resume() { program.withLock { $0 }?.signal(SIGCONT) }

    /// The options of a client, which is patient since tests share a machine.
    public var options: Redis.Options {
        var options = Redis.Options()
        (options.port, options.account) = (port, { [password] in [password] })
        options.deadline = .seconds(5)
        return options
    }

    /// A client with the usual deadline.
    public var hastyClient: Redis {
        var options = options
        options.deadline = Redis.Options().deadline
        return Redis(options)
    }

    /// A client with all rights.
    public var client: Redis { Redis(options) }

    /// All that it has stored, as in its file, with the keys.
    public func dump() async throws -> Data {
        _ = try await client.run(["SAVE"])
        return try Data(contentsOf: folder.appendingPathComponent("dump.rdb"))
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves a test out where there is no Redis server.
    public static var withRedis: Self { .enabled(if: RedisServer.path != nil, "redis-server is not installed") }
}

/// A port of loopback that is free now.
private func freePort() throws -> Int {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
        }
    }
    guard isBound else { throw RedisServer.NotStarted() }
    return Int(UInt16(bigEndian: address.sin_port))
}
