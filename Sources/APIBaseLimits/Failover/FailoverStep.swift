import APIBaseCore
import Basics
import HTTPTransport

/// Sends each attempt to the address in use, and on to the next if that one cannot be reached.
struct FailoverStep: CallStep {
    let call: Call
    let choice: ServerChoice

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        guard let rest = attempt.request.url?.rest(below: choice.servers[0]) else { return try next.reply(to: attempt) }
        return PendingResponse { [self] then in
            let (server, isTrial) = choice.server(at: now)
            send(attempt, rest, to: server, isTrial: isTrial, tried: [], next, then)
        }
    }

    private var now: Duration { call.clock.forRealWork.now }

    private func send(
        _ attempt: Attempt,
        _ rest: Substring,
        to server: Int,
        isTrial: Bool,
        tried: Set<Int>,
        _ next: NextStep,
        _ then: @escaping PendingResponse.Receiver
    ) {
        var rebased = attempt
        rebased.request.url = URL(string: choice.servers[server].location + rest) ?? attempt.request.url
        let request = rebased.request
        call.state.withLock { $0.server = nil }
        next.startInContext(rebased) { [self] result in
            // A stored response, or a token that cannot be got, says nothing of this server.
            switch call.state.withLock({ $0.server }) ?? result.outcome {
            case .unknown:
                if isTrial { choice.untried(server) }
                then(result)
            case .success:
                report(choice.succeeded(server, isTrial: isTrial))
                then(result)
            case .failure:
                let isUnsent = isUnsent(request, result)
                let (isGivenUp, change) = choice.failed(server, isTrial: isTrial, isUnreachable: isUnsent, at: now)
                report(change)
                let mayRepeat = request.method.isIdempotent || request.hasIdempotencyKey || isUnsent
                let tried = tried.union([server])
                guard isGivenUp || result.hasNoResponse, mayRepeat, call.canRepeatBody(of: request),
                    let other = choice.server(besides: tried, at: now)
                else { return then(result) }
                send(attempt, rest, to: other, isTrial: false, tried: tried, next, then)
            }
        }
    }

    /// Whether nothing of the request was sent, since there was no connection to its server. The error may be that of
    /// another server, after a redirect or of a call inside the attempt.
    private func isUnsent(_ request: URLRequest, _ result: Result<AttemptResponse?, any Error>) -> Bool {
        guard case .failure(let error as TransportError) = result, error.isBeforeSending else { return false }
        return error.url?.origin == request.url?.origin && call.state.withLock { $0.report.redirects.isEmpty }
    }

    private func report(_ change: (from: Int, to: Int)?) {
        guard let change else { return }
        let (from, to) = (choice.servers[change.from], choice.servers[change.to])
        call.emit { .noted($0, ServerChanged(from: from, to: to)) }
    }
}

extension Result<AttemptResponse?, any Error> {
    /// The outcome of an attempt for its server.
    fileprivate var outcome: ServerOutcome {
        switch self {
        case .success(let reply?): reply.head.statusCode == 503 ? .failure : .success
        case .success(nil): .unknown
        case .failure(let error): error.isTransient ? .failure : .unknown
        }
    }

    fileprivate var hasNoResponse: Bool { if case .failure = self { true } else { false } }
}

extension URL {
    /// The text without its query and without slashes at the end.
    fileprivate var location: String {
        var text = absoluteString.prefix { $0 != "?" && $0 != "#" }
        while text.hasSuffix("/") { text.removeLast() }
        return String(text)
    }

    /// The text after that of a base URL; `nil` for a URL elsewhere.
    fileprivate func rest(below base: URL) -> Substring? {
        let (text, front) = (absoluteString, base.location)
        guard text.hasPrefix(front) else { return nil }
        let rest = text.dropFirst(front.count)
        return rest.first.map { "/?#".contains($0) } ?? true ? rest : nil
    }
}
