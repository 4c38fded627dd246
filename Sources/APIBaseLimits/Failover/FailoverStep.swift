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
            send(attempt, rest, to: choice.server(at: now), tried: [], next, then)
        }
    }

    private var now: Duration { call.clock.forRealWork.now }

    private func send(
        _ attempt: Attempt,
        _ rest: Substring,
        to server: Int,
        tried: Set<Int>,
        _ next: NextStep,
        _ then: @escaping PendingResponse.Receiver
    ) {
        var rebased = attempt
        rebased.request.url = URL(string: choice.servers[server].location + rest) ?? attempt.request.url
        let sent = rebased
        next.startInContext(sent) { [self] result in
            switch result.outcome {
            case .unknown:
                choice.untried(server)
                then(result)
            case .success:
                report(choice.succeeded(server))
                then(result)
            case .failure:
                let (isGivenUp, change) = choice.failed(server, isUnreachable: result.isUnreachable, at: now)
                report(change)
                let tried = tried.union([server])
                guard isGivenUp || result.hasNoResponse, mayGoOn(sent, after: result),
                    let other = choice.server(besides: tried, at: now)
                else { return then(result) }
                send(attempt, rest, to: other, tried: tried, next, then)
            }
        }
    }

    private func mayGoOn(_ attempt: Attempt, after result: Result<AttemptResponse?, any Error>) -> Bool {
        let request = attempt.request
        return (request.method.isIdempotent || request.hasIdempotencyKey || result.isUnreachable)
            && call.canRepeatBody(of: request)
    }

    private func report(_ change: (from: Int, to: Int)?) {
        guard let change else { return }
        let (from, to) = (choice.servers[change.from], choice.servers[change.to])
        call.emit { .noted($0, ServerChanged(from: from, to: to)) }
    }
}

extension Result<AttemptResponse?, any Error> {
    /// What the end of an attempt says of its server.
    fileprivate var outcome: ServerOutcome {
        switch self {
        case .success(let reply?): reply.head.statusCode == 503 ? .failure : .success
        case .success(nil): .unknown
        case .failure(let error): error.isTransient ? .failure : .unknown
        }
    }

    fileprivate var hasNoResponse: Bool { if case .failure = self { true } else { false } }

    /// Whether the request was not sent, since there was no connection.
    fileprivate var isUnreachable: Bool {
        if case .failure(let error as TransportError) = self { error.isBeforeSending } else { false }
    }
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
