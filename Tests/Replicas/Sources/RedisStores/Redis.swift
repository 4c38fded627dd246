import APIBaseKit
import Synchronization

/// A client of a Redis-compatible server, for all stores of a process. There is no TLS: trust the network between.
public final class Redis: Sendable {
    /// Where the server is, and how it is used.
    public struct Options: Sendable {
        /// The address of the server. The look-up of a name has no deadline.
        public var host = "127.0.0.1"
        /// Its port.
        public var port = 6_379
        /// The user, if the server has several.
        public var user: String?
        /// Gives the password for each connection; `nil` if the server asks for none.
        public var password: (@Sendable () -> String)?
        /// The number of connections, each with a thread while it works.
        public var connections = 4
        /// The longest time for a command, with its wait for a connection. Then it fails.
        public var deadline = Duration.milliseconds(250)

        /// The usual options.
        public init() {}
    }

    private let deadline: Duration
    private let connections: [RedisConnection]
    private let turn = Atomic<UInt>(0)
    /// The digests of scripts that the server has seen.
    private let digests = Mutex<[String: Data]>([:])

    /// Creates a client, which connects with the first command.
    public init(_ options: Options = Options()) {
        // A write to a connection that the server has closed would end the process.
        signal(SIGPIPE, SIG_IGN)
        deadline = options.deadline
        connections = (0..<max(1, options.connections)).map { _ in RedisConnection(options) }
    }

    /// Runs a command; twice if the connection breaks, so that must do no harm.
    func run(_ command: [any RedisValue]) async throws -> RedisReply {
        try await run(command, until: .now + deadline)
    }

    /// Runs a script as one step, by its digest; the server gets the text if it does not know it.
    func run(_ script: String, keys: [String], _ values: [any RedisValue] = []) async throws -> RedisReply {
        let end = ContinuousClock.now + deadline
        let rest: [any RedisValue] = ["\(keys.count)"] + keys + values
        do {
            let digest = digests.withLock { $0[script] }
            if let digest { return try await run(["EVALSHA", digest] + rest, until: end) }
        } catch RedisError.refused("NOSCRIPT") {}
        let reply = try await run(["EVAL", script] + rest, until: end)
        let digest = try? await run(["SCRIPT", "LOAD", script], until: end).data
        digests.withLock { $0[script] = digest }
        return reply
    }

    private func run(_ command: [any RedisValue], until end: ContinuousClock.Instant) async throws -> RedisReply {
        let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return try await connections[Int(number % UInt(connections.count))].reply(to: command, until: end)
    }

    /// A name for what is stored, which does not tell whose it is.
    static func digest(of name: String) throws -> String {
        try HMACKey("APIBaseKit").code(for: Data(name.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}
