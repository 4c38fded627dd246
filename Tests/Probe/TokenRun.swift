#if os(Linux)
import APIBaseKit
import HostileServer

/// Processes that share a ``FileTokenStore``.
enum TokenRun {
    private final class Call: APIBase, Request {
        init(_ server: URL, _ path: String, _ source: TokenSource? = nil) {
            super.init()
            (baseURL, self.path) = (server, path)
            authorization = source.map { .tokens($0) }
        }

        func start() -> AnyPublisher<Int, any Error> {
            sendRequest().map(\.response.statusCode).eraseToAnyPublisher()
        }
    }

    static func run(_ arguments: [String]) async throws {
        if arguments.count == 2 { return try await measure(rounds: Int(arguments[1]) ?? 1) }
        guard let server = URL(string: arguments[1]) else { return }
        let file = URL(fileURLWithPath: arguments[2])
        if arguments[0] == "start" { return try await start(server, file, Array(arguments.dropFirst(3))) }
        let number = Int(arguments[3]) ?? 0
        if arguments[0] == "rounds" {
            try await takePart(server, file, rounds: number, keeps: arguments[4] == "keep")
        } else {
            try await callForEver(server, file)
        }
    }

    private static func source(_ server: URL, _ file: URL) -> TokenSource {
        let store = FileTokenStore(at: file)
        return .refreshToken("none", at: server.appendingPathComponent("token"), id: "probe", store: store)
    }

    /// Calls once in each round, with a source for all rounds or one for each. Prints the number of rounds.
    private static func takePart(_ server: URL, _ file: URL, rounds: Int, keeps: Bool) async throws {
        let kept = source(server, file)
        var count = 0
        for _ in 0..<rounds {
            let start = try await Call(server, "/round").value()
            let status = try await Call(server, "/api", keeps ? kept : source(server, file)).value()
            count += start == 200 && status == 200 ? 1 : 0
        }
        _ = try await Call(server, "/round").value()
        say("\(count)")
    }

    /// One start of a program that calls several hosts, of which the last one does not share the token. Prints the
    /// statuses.
    private static func start(_ login: URL, _ file: URL, _ hosts: [String]) async throws {
        let source = TokenSource.stored(
            in: FileTokenStore(at: file),
            tokenAt: login.appendingPathComponent("token"),
            id: "probe",
            servers: hosts.dropLast()
        )
        for host in hosts {
            guard let url = URL(string: "http://\(host)") else { continue }
            say("\(try await Call(url, "/api", source).value())")
        }
    }

    /// Calls until the process is killed. Prints the status of each call.
    private static func callForEver(_ server: URL, _ file: URL) async throws {
        let source = source(server, file)
        while true {
            let status = try await Call(server, "/api", source).value()
            say("\(status)")
        }
    }

    /// Runs eight processes for a number of rounds, and prints how many rounds had one refresh.
    private static func measure(rounds: Int) async throws {
        guard let children = Children() else { return }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tokens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let start = ContinuousClock.now
        let result = try await TokenRounds.run(rounds, in: folder.appendingPathComponent("token"), children)
        let time = (ContinuousClock.now - start).formatted()
        say("\(result.rounds.filter { $0 == 1 }.count) of \(result.rounds.count) rounds with one refresh, in \(time)")
        say("calls that succeeded: \(result.succeeded), refresh tokens used again: \(result.reused.count)")
    }
}
#endif
