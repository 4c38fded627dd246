import HTTPTransport

/// Sends each attempt through the API's ``APIBase/intercept(_:next:)``, and takes the response: complete for most
/// calls, and for a stream as soon as its head is accepted.
struct InterceptStep: CallStep {
    private let call: Call

    init(_ call: Call) { self.call = call }

    func reply(to attempt: Attempt, next: NextStep) -> PendingResponse {
        let replies = call.api.intercept(attempt.request) { [call] changed in
            NextSending(call: call).replies(to: attempt.changed(to: changed, by: call))
        }
        // The usual case: the API has added nothing.
        if !call.isStream, let exchange = AttemptExchange.origin(of: replies) {
            return PendingResponse(start: exchange.start)
        }
        return PendingResponse { [self] then in take(replies, then: then) }
    }

    private func take(_ replies: ReplyPublisher, then: @escaping PendingResponse.Receiver) {
        call.waitForFirst(of: replies, isUpstream: true) { result in
            guard case .success(let reply?) = result else {
                return then(result.map { (_: StreamedReply?) -> AttemptResponse? in nil })
            }
            if call.isStream, accepts(reply.response) {
                return then(.success(AttemptResponse(whole: CallResponse(reply.head, Data()), stream: reply)))
            }
            let body = call.isStream ? reply.body.beginning(of: HTTPFailure.bodyLimit) : reply.body.whole
            call.waitForFirst(of: body) { body in
                then(body.map { AttemptResponse(whole: CallResponse(reply.head, $0 ?? Data())) })
            }
        }
    }

    private func accepts(_ response: HTTPURLResponse) -> Bool {
        call.variant?.accepts(response, byDefault: call.api.accepts(response)) ?? call.api.accepts(response)
    }
}

extension Attempt {
    /// This attempt with another request, without this one's secrets if the other goes to another origin.
    func changed(to changed: URLRequest, by call: Call) -> Attempt {
        var attempt = self
        attempt.request = changed.without(call.secretHeaders, of: request)
        let name = "Authorization"
        if tokenIdentity != nil,
            attempt.request.value(forHTTPHeaderField: name) != request.value(forHTTPHeaderField: name)
        {
            (attempt.tokenIdentity, attempt.signer) = (nil, nil)
        }
        // A failure of this leaves the request without an answer, and the server refuses it.
        if let signer = attempt.signer, changed != request {
            attempt.request = signer.signedAnew(attempt.request, with: nil, in: call)
        }
        return attempt
    }
}

extension URLRequest {
    /// This request without the headers that are secret.
    func without(_ secretHeaders: Set<String>) -> URLRequest {
        var request = self
        for name in (allHTTPHeaderFields ?? [:]).keys where HTTPHeaders.isSecret(name, in: secretHeaders) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        return request
    }

    /// This request without the secrets of `original` if it goes to another origin.
    fileprivate func without(_ secretHeaders: @autoclosure () -> Set<String>, of original: URLRequest) -> URLRequest {
        guard url != original.url, url?.origin != original.url?.origin else { return self }
        var request = self
        let secretHeaders = secretHeaders()
        for (name, value) in allHTTPHeaderFields ?? [:]
        where value == original.value(forHTTPHeaderField: name) && HTTPHeaders.isSecret(name, in: secretHeaders) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        return request
    }
}

extension Publisher where Output == Data, Failure == any Error {
    fileprivate var whole: AnyPublisher<Data, any Error> {
        collect()
            .map { chunks in chunks.dropFirst().reduce(into: chunks.first ?? Data()) { $0.append($1) } }
            .eraseToAnyPublisher()
    }

    /// The bytes up to `limit`.
    fileprivate func beginning(of limit: Int) -> AnyPublisher<Data, any Error> {
        Deferred {
            var count = 0
            return prefix { chunk in
                count += chunk.count
                return count <= limit
            }
            .whole
        }
        .eraseToAnyPublisher()
    }
}
