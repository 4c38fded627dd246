import HTTPTransport

/// An attempt with Digest, which is repeated once to answer a challenge.
struct DigestExchange: Sendable {
    let call: Call
    let account: DigestAccount
    let attempt: Attempt
    let next: NextStep

    /// Sends the request, or sends it again with an answer to the refused response.
    func send(after refused: Result<AttemptResponse?, any Error>? = nil, then: @escaping PendingResponse.Receiver) {
        do {
            var attempt = attempt
            let isAnswer = refused != nil
            let answer = try call.addDigest(of: account, to: &attempt.request, asked: isAnswer)
            if let refused, answer == nil { return then(refused) }
            if isAnswer { call.reportRefresh() }
            if answer != nil {
                (attempt.signer, attempt.tokenIdentity) = (account, call.owner(account.identity))
            }
            next.startInContext(attempt) { result in
                guard case .success(let reply?) = result, mayAnswer(reply.head, to: answer, isAnswer: isAnswer) else {
                    return then(result)
                }
                send(after: result, then: then)
            }
        } catch {
            then(.failure(error))
        }
    }

    /// Keeps the new nonce of a response. Returns whether the request is to be sent again with it.
    private func mayAnswer(_ head: ResponseHead, to sent: DigestAnswer?, isAnswer: Bool) -> Bool {
        guard let origin = attempt.request.url?.origin, head.url.origin == origin else { return false }
        guard head.statusCode == 401 else {
            if let sent, let next = head.nextNonce, let challenge = sent.challenge.renewed(next) {
                account.keep(challenge, of: origin, in: call.tokenStandInOwner)
            }
            return false
        }
        let challenge = DigestChallenge.strongest(in: head)
        // What was refused although its nonce was good will be refused again: user or password is wrong.
        if let sent, challenge?.isStale != true, isAnswer || challenge?.nonce == sent.challenge.nonce {
            account.forget(sent.challenge.nonce, of: origin, in: call.tokenStandInOwner)
            return false
        }
        guard let challenge else { return false }
        account.keep(challenge, of: origin, in: call.tokenStandInOwner)
        return !isAnswer && attempt.isRefused(by: head, in: call)
    }
}

extension DigestAccount: RequestSigner {
    package func reply(to attempt: Attempt, in call: Call, next: NextStep) -> PendingResponse {
        let exchange = DigestExchange(call: call, account: self, attempt: attempt, next: next)
        return PendingResponse { exchange.send(then: $0) }
    }

    /// The answer is for one method and one target.
    package func signedAnew(_ request: URLRequest, with body: HTTPBody?, in call: Call) -> URLRequest {
        guard request.value(forHTTPHeaderField: "Authorization")?.hasPrefix("Digest ") == true else { return request }
        var request = request
        request.setValue(nil, forHTTPHeaderField: "Authorization")
        _ = try? call.addDigest(of: self, to: &request, with: body, asked: true)
        return request
    }
}

extension Call {
    /// Adds the answer to the last challenge of the request's server, if there is one. Without a body, it is for that
    /// of the request object.
    func addDigest(
        of account: DigestAccount,
        to request: inout URLRequest,
        with body: HTTPBody? = nil,
        asked: Bool
    ) throws -> DigestAnswer? {
        guard let url = request.url, let answer = account.answer(for: request, asked: asked, in: tokenStandInOwner)
        else {
            return nil
        }
        let pieces = variant?.hasOwnBody == false ? [] : try (body ?? api.transportBody(of: request)).pieces
        let bytes = pieces.map { piece in if case .bytes(let data) = piece { data } else { nil as Data? } }
        let known = bytes.contains(nil) ? nil : bytes.compactMap(\.self)
        let method = request.httpMethod ?? "GET"
        guard let header = answer.header(method: method, target: url.digestTarget, body: known) else { return nil }
        try request.add("Authorization", header)
        return answer
    }
}

extension ResponseHead {
    /// The nonce for the next request (RFC 7616, section 3.5).
    fileprivate var nextNonce: String? {
        value(of: "authentication-info").flatMap { field in
            AuthenticationChallenge.all(in: "Digest " + field).first?.parameters?["nextnonce"]
        }
    }
}
