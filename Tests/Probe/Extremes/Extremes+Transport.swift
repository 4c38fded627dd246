#if os(Linux) && !canImport(Combine)
import APIBaseKit
import LoopbackServer
import Foundation

extension Extremes {
    /// The response of a local server to a call.
    private static func loopback(_ session: any HTTPSession, _ change: (Plain) -> Void = { _ in }) async throws
        -> String
    {
        let server = try HTTPServer { _ in
            ServerResponse(headers: HTTPFields(["Content-Type": "application/json"]), body: .data(Data("123".utf8)))
        }
        defer { server.stop() }
        let call = Plain()
        (call.baseURL, call.session) = (server.url, session)
        change(call)
        return try await call.value()
    }

    private static func configured(_ change: (inout CurlSession.Configuration) -> Void) async throws -> String {
        var configuration = CurlSession.Configuration()
        change(&configuration)
        let session = CurlSession(configuration: configuration)
        _ = try await loopback(session)
        return try await loopback(session)
    }

    static var transport: [Row] {
        let engines: [(String, any HTTPSession)] = [
            ("URLSession", URLSession.shared), ("default", DefaultSession.shared),
        ]
        return all(
            rows("connectionsPerHost", integers, "200, 3") { count in
                try await configured { $0.connectionsPerHost = count }
            },
            rows("connections", integers, "200, 3") { count in try await configured { $0.connections = count } },
            rows("threads", integers, "200, 3") { count in try await configured { $0.threads = count }
            },
            rows("idleConnectionLifetime", durations, "200, 3") { time in
                try await configured { $0.idleConnectionLifetime = time }
            },
            engines.flatMap { name, session in
                all(
                    rows("\(name): timeout", durations, "any", "any", "any", "any", "200, 3") { time in
                        try await either(time) { try await loopback(session) { $0.timeout = time } }
                    },
                    rows("\(name): limits.connect", durations, "any", "any", "any", "any", "200, 3") { time in
                        try await either(time) { try await loopback(session) { $0.limits.connect = time } }
                    },
                    rows("\(name): limits.idle", durations, "any", "any", "any", "any", "200, 3") { time in
                        try await either(time) { try await loopback(session) { $0.limits.idle = time } }
                    },
                    rows("\(name): limits.total", durations, "any", "any", "any", "any", "200, 3") { time in
                        try await either(time) { try await loopback(session) { $0.limits.total = time } }
                    },
                    rows("\(name): limits.responseBytes", integers, overLimit) { count in
                        try await loopback(session) { $0.limits.responseBytes = count }
                    },
                    rows("\(name): limits.headerBytes", integers, overLimit) { count in
                        try await loopback(session) { $0.limits.headerBytes = count }
                    },
                    rows("\(name): limits.queuedBytes", integers, "200, 3") { count in
                        try await loopback(session) { $0.limits.queuedBytes = count }
                    },
                    rows("\(name): limits.redirects", integers, "200, 3") { count in
                        try await loopback(session) { $0.limits.redirects = count }
                    },
                    rows(
                        "\(name): HTTPBody.stream(count:)",
                        Array(counts.dropLast()),
                        "invalidRequest",
                        "invalidRequest",
                        "bodyLength",
                        "bodyLength"
                    ) { count in
                        try await loopback(session) { call in
                            call.method = .post
                            call.content = .stream(count: count) { InputStream(data: Data("abc".utf8)) }
                        }
                    }
                )
            }
        )
    }

    /// A zero time may be over at once or not, depending on the machine. Both are right.
    private static func either(_ time: Duration, _ use: () async throws -> String) async throws -> String {
        let result: String
        do { result = try await use() } catch { result = text(of: error) }
        return time < .seconds(1) && ["200, 3", "timedOut"].contains(result) ? "any" : result
    }
}
#endif
