import LoopbackServer
import Foundation
import HostileServer
import HTTPTransport
import TestTiers
import Testing

/// The greatest, the least and the senseless number in every setting that is one: it works, or fails with its name.
@Suite(.tags(.concurrent), .limited) struct ExtremeNumbersTests {
    private static let numbers = [Int.max, .max - 1, 1 << 40, 1, 0, -1, .min + 1, .min]
    private static let times: [Duration] = [
        .seconds(Int64.max), .milliseconds(Int64.max), .seconds(1 << 40), .nanoseconds(1), .zero, .nanoseconds(-1),
        .seconds(-1), .seconds(Int64.min),
    ]

    private typealias Change<Value> = @Sendable (inout ExchangeRequest.Limits, Value) -> Void
    private static let sizes: [(String, Change<Int>)] = [
        ("responseBytes", { $0.responseBytes = $1 }), ("headerBytes", { $0.headerBytes = $1 }),
        ("queuedBytes", { $0.queuedBytes = $1 }), ("redirects", { $0.redirects = $1 }),
    ]
    private static let clocks: [(String, TransportError.Clock, Change<Duration>)] = [
        ("connect", .connect, { $0.connect = $1 }), ("idle", .idle, { $0.idle = $1 }),
        ("total", .total, { $0.total = $1 }),
    ]

    /// Redirects once, and answers with four bytes.
    private static func server() throws -> HTTPServer {
        try HTTPServer { request in
            guard request.path == "/moved" else { return .text("good") }
            return ServerResponse(status: 302, headers: HTTPFields(["Location": "/"]))
        }
    }

    @Test(.everyEngine)
    func `A negative or huge size limit lets a request succeed, or fail with an error naming the limit`() async throws {
        let session = Engine.makeSession()
        let server = try Self.server()
        defer { server.stop() }
        for (name, change) in Self.sizes {
            for number in Self.numbers {
                let limits = ExchangeRequest.Limits.with { change(&$0, number) }
                let result = try await session.result(of: ExchangeRequest(port: server.port, "/moved", limits: limits))
                switch (name, result.reason) {
                case ("redirects", nil): #expect(try result.get().status == (number > 0 ? 200 : 302), "\(number)")
                case (_, nil): #expect(try result.get().text == "good", "\(name) \(number)")
                case ("responseBytes", .tooLarge(.responseBytes, limit: number)?): #expect(number < 4)
                case ("headerBytes", .tooLarge(.headerBytes, limit: number)?): #expect(number <= 1)
                case ("queuedBytes", .bufferOverflow(limit: number)?): #expect(number < 4)
                default: Issue.record("\(name) \(number): \(result)")
                }
                if let error = result.failure { #expect(error.description.contains("\(number)")) }
            }
        }
    }

    /// No clock is so short that it runs backwards, or so long that it has run out.
    @Test(.everyEngine)
    func `A negative or huge time limit lets a request succeed, or fail with timedOut for that limit`() async throws {
        let session = Engine.makeSession()
        let server = try Self.server()
        defer { server.stop() }
        for (name, clock, change) in Self.clocks {
            for time in Self.times {
                let limits = ExchangeRequest.Limits.with { change(&$0, time) }
                let result = try await session.result(of: ExchangeRequest(port: server.port, "/moved", limits: limits))
                switch result.reason {
                case nil: #expect(try result.get().text == "good", "\(name) \(time)")
                case .timedOut(which: clock, after: time)?: #expect(time < .seconds(1), "\(name) \(time)")
                default: Issue.record("\(name) \(time): \(result)")
                }
                if let error = result.failure { #expect(!error.description.isEmpty) }
            }
        }
    }

    #if os(Linux)
    private typealias Setting<Value> = @Sendable (inout CurlSession.Configuration, Value) -> Void
    private static let settings: [(String, Setting<Int>)] = [
        ("threads", { $0.threads = $1 }), ("connections", { $0.connections = $1 }),
        ("connectionsPerHost", { $0.connectionsPerHost = $1 }),
        ("all", { ($0.threads, $0.connections, $0.connectionsPerHost) = ($1, $1, $1) }),
    ]

    @Test func `Requests succeed with negative or huge numbers in the CurlSession configuration`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        for (name, change) in Self.settings {
            for number in Self.numbers {
                var configuration = CurlSession.Configuration()
                change(&configuration, number)
                try await expectAnswers(from: server, configuration, "\(name) \(number)")
            }
        }
        for time in Self.times {
            var configuration = CurlSession.Configuration()
            configuration.idleConnectionLifetime = time
            try await expectAnswers(from: server, configuration, "idleConnectionLifetime \(time)")
        }
    }

    private func expectAnswers(
        from server: HTTPServer,
        _ configuration: CurlSession.Configuration,
        _ comment: Comment
    ) async throws {
        let session = CurlSession(configuration: configuration)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 {
                group.addTask { try await session.reply(to: ExchangeRequest(port: server.port)).text }
            }
            for try await text in group { #expect(text == "good", comment) }
        }
        await session.shutdown()
    }
    #endif
}
