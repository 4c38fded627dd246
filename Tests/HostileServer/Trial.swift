package import HTTPTransport
import Foundation

extension Behavior {
    /// Tries the behavior on a session, and then whether the next request on it is answered.
    ///
    /// It is a hang after six seconds, or after ninety with `patience`, as it is needed where many are tried at a time
    /// on a machine that does other work: there, a deadline counts only in a behavior that should end by one.
    package func outcome(
        on session: any HTTPSession,
        from server: MisbehavingServer,
        withPatience patience: Bool = false
    ) async -> Outcome {
        let seconds = patience ? 90 : 6
        let path = server.open(self)
        defer { server.close(path) }
        var question = question
        if patience && !endsByDeadline { question.limits.idle = .seconds(60) }
        guard let request = question.request(path, port: server.port) else { return .hang }
        let outcome = Outcome(try? await session.result(of: request, within: seconds), header: question.header)
        if outcome == .hang { return outcome }
        if question.hasAftermath { try? await server.waitUntilServed(path) }
        let limits = ExchangeLimits.with { $0.total = .seconds(patience ? 60 : 2) }
        guard let good = try? ExchangeRequest(port: server.port, "/good", limits: limits) else { return .hang }
        let next = Outcome(try? await session.result(of: good, within: seconds))
        return next == .value(200, "good") ? outcome : .poisoned(next.description)
    }

    private var endsByDeadline: Bool {
        expected.contains { if case .failure(.timedOut, _) = $0 { true } else { false } }
    }

    /// Whether the engine is known to conclude this, which need not be what it should.
    package func isKnown(_ outcome: String, on engine: Engine) -> Bool {
        let known = (engine == .urlSession && !urlSession.isEmpty ? urlSession : expected).flatMap(\.variants)
        // What is stuck for two seconds may be so for longer.
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
