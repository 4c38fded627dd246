import HTTPTransport

/// An attempt with Digest, which is repeated once to answer a challenge.
package struct DigestExchange: Sendable {
    package let call: Call
    package let account: DigestAccount
    package let attempt: Attempt
    package let next: NextStep

    /// Sends the request, or sends it again with an answer to the refused response.
    package func send(after refused: Result<AttemptResponse?, any Error>? = nil, then: @escaping PendingResponse.Receiver) {
        do {
            var attempt = attempt
            let isAnswer = refused != nil
            let answer = try call.addDigest(of: account, to: &attempt.request, asked: isAnswer)
            if let refused, answer == nil { return then(refused) }
            if isAnswer { call.reportRefresh() }
            if answer != nil {
                attempt.digest = account
                // The password belongs to one place where several accounts share it.
                let place = call.account?.baseURL.map { " at \($0.absoluteString)" }
                attempt.tokenIdentity = account.identity + (place ?? "")
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
                account.keep(challenge, of: origin, in: call.tokenOwner)
            }
            return false
        }
        let challenge = DigestChallenge.strongest(in: head)
        // What was refused although its nonce was good will be refused again: user or password is wrong.
        if let sent, challenge?.isStale != true, isAnswer || challenge?.nonce == sent.challenge.nonce {
            account.forget(sent.challenge.nonce, of: origin, in: call.tokenOwner)
            return false
        }
        guard let challenge else { return false }
        account.keep(challenge, of: origin, in: call.tokenOwner)
        return !isAnswer && attempt.isRefused(by: head, in: call)
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
        guard let url = request.url, let answer = account.answer(for: request, asked: asked, in: tokenOwner) else {
            return nil
        }
        let pieces = overrides?.isPoll == true ? [] : try (body ?? api.transportBody(of: request)).pieces
        let bytes = pieces.map { piece in if case .bytes(let data) = piece { data } else { nil as Data? } }
        let known = bytes.contains(nil) ? nil : bytes.compactMap(\.self)
        let method = request.httpMethod ?? "GET"
        guard let header = answer.header(method: method, target: url.digestTarget, body: known) else { return nil }
        try request.add("Authorization", header)
        return answer
    }

    /// A request that follows another with an answer, such as a redirect: the answer is for one method and one target.
    package func signedAnew(_ request: URLRequest, with body: HTTPBody? = nil) -> URLRequest {
        guard case .digest(let account) = authorization?.kind,
            request.value(forHTTPHeaderField: "Authorization")?.hasPrefix("Digest ") == true
        else { return request }
        var request = request
        request.setValue(nil, forHTTPHeaderField: "Authorization")
        _ = try? addDigest(of: account, to: &request, with: body, asked: true)
        return request
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
