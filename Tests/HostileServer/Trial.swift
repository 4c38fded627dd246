package import HTTPTransport
import Foundation

extension Behavior {
    /// Plays the behavior on a session, and then checks that the next request is answered.
    ///
    /// A time limit that is part of an outcome is kept, and all others are far away, for a busy machine. With `patience`,
    /// only the right outcomes count, and not those of `URLSession`.
    package func outcome(
        on session: any HTTPSession,
        from server: MisbehavingServer,
        withPatience patience: Bool = false
    ) async -> Outcome {
        let outcomes = patience ? expected : expected + urlSession
        let getsStuck = outcomes.contains(.stuck)
        let seconds = getsStuck ? 6 : 90
        let path = server.open(self)
        defer { server.close(path) }
        var question = question
        if !getsStuck && !outcomes.contains(where: \.isTimeout) { question.limits.idle = .seconds(60) }
        guard let request = question.request(path, port: server.port) else { return .hang }
        let outcome = Outcome(try? await session.result(of: request, within: seconds), header: question.header)
        server.tellOutcome(path)
        if outcome == .hang { return outcome }
        if question.hasAftermath { try? await server.waitUntilServed(path) }
        let limits = ExchangeRequest.Limits.with { $0.total = .seconds(getsStuck ? 2 : 60) }
        guard let good = try? ExchangeRequest(port: server.port, "/good", limits: limits) else { return .hang }
        let next = Outcome(try? await session.result(of: good, within: seconds))
        return next == .value(200, "good") ? outcome : .poisoned(next.description)
    }

    /// Whether it takes neither megabytes nor time to play.
    package var isQuick: Bool {
        question.bodyBytes < 1 << 20 && !expected.contains(where: \.isTimeout)
    }

    /// Whether this outcome is known for the engine, even if it is wrong.
    package func isKnown(_ outcome: String, on engine: Engine) -> Bool {
        let known = (engine == .urlSession && !urlSession.isEmpty ? urlSession : expected).flatMap(\.variants)
        // After two seconds, it is considered stuck.
        let hangs: [Outcome] = known.contains(.stuck) ? [.hang, .poisoned("\(Outcome.hang)")] : []
        return (known + hangs).contains { $0.description == outcome }
    }
}

extension Question {
    func request(_ path: String, port: UInt16) -> ExchangeRequest? {
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") else { return nil }
        let body: HTTPBody = bodyBytes > 0 ? .data(Data(repeating: 0x78, count: bodyBytes)) : .none
        return ExchangeRequest(method, to: url, headers: headers, body: body, limits: limits)
    }
}
