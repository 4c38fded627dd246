import Basics
import HTTPTransport

/// One request that goes through a cache.
struct CachedExchange {
    typealias Replies = AnyPublisher<StreamedReply, any Error>

    let cache: ResponseCache
    let shelf: CacheShelf
    let key: ResponseKey
    let request: URLRequest
    /// Sends a request, without the cache.
    let send: @Sendable (URLRequest) -> Replies
    /// The same for what happens when the call is over.
    let sendLater: @Sendable (URLRequest) -> Replies
    let background: BackgroundWork
    /// Whether a stored reply with an error may answer: not one that the call tries again after.
    let takesErrors: Bool
    /// Is told that a stored reply answers.
    let used: @Sendable (ResponseHead, CacheOutcome) -> Void
    /// Is told that the server has failed, which a stored reply hides.
    let failed: @Sendable () -> Void
    let now: @Sendable () -> Date

    /// The replies to the request, from the cache or from the network.
    func replies() -> Replies {
        guard request.method.isSafe else { return forward(request, by: send) }
        return shelf.withReplies(for: key) { stored in
            let stored = takesErrors ? stored : stored.filter { $0.statusCode < 400 }
            switch CacheRules.decision(for: request, among: stored, at: now()) {
            case .forward(let request): return forward(request, by: send)
            case .use(let reply): return answer(reply, Freshness(of: reply, at: now()).isFresh ? .fresh : .stale)
            case .useAndRevalidate(let reply, let request):
                background.run(for: key) { validate(reply, with: request, by: sendLater, reports: false) }
                return answer(reply, .stale)
            case .validate(let reply, let request): return validate(reply, with: request, by: send, reports: true)
            case .unsatisfiable: return Just(gatewayTimeout).setFailureType(to: (any Error).self).eraseToAnyPublisher()
            }
        }
    }

    /// The 504 reply to a request that must not be sent, when no stored reply fits (RFC 9111, section 5.2.1.7).
    private var gatewayTimeout: StreamedReply {
        let url = request.url ?? URL(fileURLWithPath: "/")
        return StreamedReply(ResponseHead(statusCode: 504, headers: [:], url: url), data: Data())
    }

    private func answer(_ reply: StoredReply, _ use: CacheOutcome) -> Replies {
        let head = reply.head(at: now(), for: request.url ?? URL(fileURLWithPath: "/"))
        used(head, use)
        let answer = StreamedReply(head, data: request.method == .head ? Data() : reply.body)
        return Result.Publisher(answer).eraseToAnyPublisher()
    }
}

// MARK: Storing

extension CachedExchange {
    private func forward(_ request: URLRequest, by send: @escaping @Sendable (URLRequest) -> Replies) -> Replies {
        let (requestedAt, count) = (now(), removals)
        guard !request.method.isSafe else {
            return send(request).map { keep($0, to: request, requestedAt, count) }.eraseToAnyPublisher()
        }
        return send(request)
            .flatMap { reply in
                forget(whatChanges: reply.response, by: request)
                    .append(Just(reply).setFailureType(to: (any Error).self))
            }
            .eraseToAnyPublisher()
    }

    private var removals: Int { cache.removals.count(for: request.url.map(ResponseKey.name) ?? "") }

    /// Removes what an unsafe method has changed, as soon as that is known.
    private func forget(whatChanges response: HTTPURLResponse, by request: URLRequest) -> Replies {
        guard let target = request.url else { return Empty().eraseToAnyPublisher() }
        var urls = CacheRules.invalidated(
            by: request.method,
            statusCode: response.statusCode,
            headers: HTTPHeaders(response.headerDictionary),
            url: target
        )
        // What a redirect has led to has been changed as well.
        if !urls.isEmpty, let end = response.url, end.origin == target.origin { urls.append(end) }
        for url in urls { cache.removals.increase(for: ResponseKey.name(of: url)) }
        return urls.isEmpty ? Empty().eraseToAnyPublisher() : shelf.removeAll(for: urls)
    }

    /// Stores a change, unless the reply has been removed since it was asked for.
    private func change<Output>(
        since count: Int,
        _ change: @escaping @Sendable ([StoredReply]) -> [StoredReply]
    ) -> AnyPublisher<Output, any Error> {
        guard removals == count else { return Empty().eraseToAnyPublisher() }
        return shelf.change(key, change)
    }

    /// The reply, which is stored when it is whole.
    private func keep(
        _ reply: StreamedReply,
        to request: URLRequest,
        _ requestedAt: Date,
        _ count: Int
    ) -> StreamedReply {
        let response = reply.response
        let (status, headers, receivedAt) = (response.statusCode, HTTPHeaders(response.headerDictionary), now())
        guard let url = response.url ?? request.url else { return reply }
        if request.method == .get {
            // Whether a chain of redirects leads here the next time, nothing says.
            guard ResponseKey.name(of: url) == request.url.map(ResponseKey.name),
                CacheRules.mayStore(request: request, statusCode: status, headers: headers)
            else { return reply }
            return reply.recorded(atMost: cache.largestBody) { body in
                let stored = StoredReply(
                    answering: request,
                    statusCode: status,
                    headers: headers,
                    body: body,
                    requestedAt: requestedAt,
                    receivedAt: receivedAt
                )
                return change(since: count) { $0.filter { !$0.selects(request) } + [stored] }
            }
        }
        if request.method == .head {
            return reply.followed {
                change(since: count) { stored in
                    stored.compactMap { reply in
                        reply.updated(
                            byHead: headers,
                            statusCode: status,
                            answering: request,
                            requestedAt: requestedAt,
                            receivedAt: receivedAt
                        )
                        .ifStorable
                    }
                }
            }
        }
        return reply
    }
}

// MARK: Validating

extension CachedExchange {
    /// Asks whether a stored reply still holds.
    private func validate(
        _ stored: StoredReply,
        with conditional: URLRequest,
        by send: @escaping @Sendable (URLRequest) -> Replies,
        reports: Bool
    ) -> Replies {
        let (requestedAt, count) = (now(), removals)
        func use(_ reply: StoredReply, _ use: CacheOutcome) -> Replies {
            reports ? answer(reply, use) : Empty().eraseToAnyPublisher()
        }
        return send(conditional)
            .map { reply -> Replies in
                let headers = HTTPHeaders(reply.response.headerDictionary)
                let status = reply.response.statusCode
                if status == 304, stored.isConfirmed(by: headers) {
                    let updated = stored.updated(
                        by: headers,
                        answering: request,
                        requestedAt: requestedAt,
                        receivedAt: now()
                    )
                    return reply.drained
                        .append(
                            change(since: count) { stored in
                                stored.filter { !$0.selects(request) } + [updated.ifStorable].compactMap(\.self)
                            }
                        )
                        .append(Deferred { use(updated, .validated) })
                        .eraseToAnyPublisher()
                }
                if status == 304 { return reply.drained.append(forward(request, by: send)).eraseToAnyPublisher() }
                if CachedStatus.isError(status), CacheRules.mayUseOnError(stored, for: request, at: now()) {
                    failed()
                    return reply.drained.append(Deferred { use(stored, .stale) }).eraseToAnyPublisher()
                }
                let kept = keep(reply, to: request, requestedAt, count)
                return Just(kept).setFailureType(to: (any Error).self).eraseToAnyPublisher()
            }
            .catch { error -> AnyPublisher<Replies, any Error> in
                guard error.isTransient, CacheRules.mayUseOnError(stored, for: request, at: now()) else {
                    return Fail(error: error).eraseToAnyPublisher()
                }
                failed()
                return Just(use(stored, .stale)).setFailureType(to: (any Error).self).eraseToAnyPublisher()
            }
            .flatMap { $0 }
            .eraseToAnyPublisher()
    }
}

extension StoredReply {
    /// The reply, if it may still be stored with the headers it has by now.
    fileprivate var ifStorable: StoredReply? {
        CacheRules.mayStore(request: nil, statusCode: statusCode, headers: headers) ? self : nil
    }
}
