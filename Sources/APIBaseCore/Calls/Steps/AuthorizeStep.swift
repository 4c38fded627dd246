import HTTPTransport

/// Adds the credentials of ``APIBase/authorization`` to each attempt. With tokens, it waits for a valid one, and sends
/// the request again with a new one if the server refuses the token.
struct AuthorizeStep: CallStep {
    private let call: Call

    init?(_ call: Call) {
        guard call.variant?.isForeign != true else { return nil }
        self.call = call
    }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        guard let authorization = call.settings.authorization, !authorization.isIn(attempt.request) else {
            return try next.reply(to: attempt)
        }
        switch authorization.kind {
        case .header(let name, let value):
            var attempt = attempt
            try attempt.request.add(name, value)
            return try next.reply(to: attempt)
        case .tokens(let source):
            let account = call.account?.identity
            guard !source.isRefreshing(in: call.context, for: account),
                let place = try source.place(of: attempt.request.url?.origin, for: account)
            else { return try next.reply(to: attempt) }
            let tokens = TokenExchange(call: call, source: source, place: place, attempt: attempt, next: next)
            return PendingResponse { tokens.send(refused: nil, then: $0) }
        case .scheme(let scheme):
            if let signer = scheme.object as? any RequestSigner {
                return try signer.reply(to: attempt, in: call, next: next)
            }
            guard let authenticator = scheme.object as? any Authenticator else { return try next.reply(to: attempt) }
            let exchange = AuthenticatedExchange(call: call, by: authenticator, attempt: attempt, next: next)
            return PendingResponse { exchange.send(again: false, then: $0) }
        case .invalid(let problem): throw RequestError.invalidRequest(problem)
        }
    }
}

/// An attempt with a token, which is repeated once if the token is refused.
private struct TokenExchange: Sendable {
    let call: Call
    let source: TokenSource
    let place: TokenPlace
    let attempt: Attempt
    let next: NextStep

    func send(refused: TokenSource.Issued?, then: @escaping PendingResponse.Receiver) {
        waitForToken(refused: refused) { result in
            do {
                let issued = try result.get()
                if refused != nil { call.reportRefresh() }
                var attempt = attempt
                try attempt.request.add("Authorization", "Bearer \(issued.token.value)")
                attempt.tokenIdentity = call.owner(source.identity)
                next.startInContext(attempt) { result in
                    guard refused == nil, case .success(let reply?) = result,
                        self.attempt.isRefused(by: reply.head, in: call)
                    else { return then(result) }
                    send(refused: issued, then: then)
                }
            } catch {
                then(.failure(error))
            }
        }
    }

    private func waitForToken(refused: TokenSource.Issued?, then: @escaping TokenRefresher.Waiter) {
        let refresher = source.refresher(of: call.tokenStandInOwner, for: place)
        if let issued = refresher.valid(after: refused, on: call.clock) { return then(.success(issued)) }
        call.wait {
            let start = call.elapsed
            call.waitsForCredentials()
            let number = call.context.run {
                call.inScope {
                    refresher.wait(for: source, refused: refused, on: call.clock) { result in
                        // On an immediate clock, the wait may have passed the deadline.
                        guard !call.isPastDeadline else { return call.expire() }
                        call.waitedForCredentials(since: start)
                        if case .failure = result { call.refreshFailed() }
                        then(result)
                    }
                }
            }
            return number.map { number in .work(AnyCancellable { refresher.stopWaiting(number) }) }
        }
    }
}

extension Call {
    /// The owner of credentials with this identity. Those that several accounts share have an owner at each server.
    package func owner(_ identity: String) -> String {
        identity + (account?.baseURL.map { " at \($0.absoluteString)" } ?? "")
    }
}

extension Attempt {
    /// Whether the server has refused the token, or wants an answer, and the request may be sent again.
    package func isRefused(by head: ResponseHead, in call: Call) -> Bool {
        head.statusCode == 401 && mayBeSentAgain(after: head, in: call)
    }

    /// Whether the request may be sent again after a response. False if a redirect or
    /// ``APIBase/intercept(_:next:)`` has led to another server, or if the request may have had an effect.
    func mayBeSentAgain(after head: ResponseHead, in call: Call) -> Bool {
        guard call.canRepeatBody(of: request) else { return false }
        guard call.api.dataTaskPublisher == nil, let sent = call.sentRequest?.url else { return true }
        return head.url.origin == request.url?.origin
            && (request.method.isSafe || head.url.absoluteString == sent.absoluteString)
    }
}
