import APIBaseKit

/// A client of a Redis-compatible server, for all stores of a process. There is no TLS: trust the network between.
public final class Redis: Sendable {
    /// Where the server is, and how it is used.
    public struct Options: Sendable {
        /// The address of the server. The look-up of a name has no deadline.
        public var host = "127.0.0.1"
        /// Its port.
        public var port = 6_379
        /// Gives the password for each connection, or the user and the password; `nil` if the server asks for none.
        public var account: (@Sendable () -> [String])?
        /// The number of connections, at least 1, each with a thread while it works.
        public var connections = 4
        /// The longest time for a command, with its wait for a connection. Then it fails.
        public var deadline = Duration.milliseconds(250)

        /// The usual options.
        public init() {}
    }

    private let (deadline, connections): (Duration, [RedisConnection])

    /// Creates a client, which connects with the first command.
    public init(_ options: Options = Options()) {
        // A write to a connection that the server has closed would end the process.
        signal(SIGPIPE, SIG_IGN)
        let connections = (0..<max(1, options.connections)).map { _ in RedisConnection(options) }
        (deadline, self.connections) = (options.deadline, connections)
    }

    /// Runs a command; twice if the connection breaks, so that must do no harm.
    func run(_ command: [any RedisValue]) async throws -> RedisReply {
        try await connections[.random(in: connections.indices)].reply(to: command, until: .now + deadline)
    }

    /// Runs a script as one step. The server keeps it, so its text costs little.
    func run(_ script: String, keys: [String], _ values: [any RedisValue] = []) async throws -> RedisReply {
        try await run(["EVAL", script, "\(keys.count)"] + keys + values)
    }

    /// The beginning of the keys for a name, which do not tell it. By the braces, a cluster has them on one server.
    static func key(_ kind: String, _ name: String) throws -> String {
        "{\(kind):\(try HMACKey(kind).code(for: Data(name.utf8)).base64EncodedString())}"
    }
}
