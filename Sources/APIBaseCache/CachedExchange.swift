import Basics
import HTTPTransport

/// One request through a cache.
struct CachedExchange {
    typealias Send = @Sendable (URLRequest) -> ReplyPublisher

    let cache: ResponseCache
    let store: CacheStore
    let key: ResponseKey
    let request: URLRequest
    /// Sends a request without the cache.
    let send: Send
    /// Sends a request without the cache, independently of the call.
    let sendInBackground: Send
    let revalidations: RevalidationTasks
    /// True if a stored error response may answer. A retry needs a new response.
    let allowsErrors: Bool
    /// Called when a stored response answers.
    let onUse: @Sendable (ResponseHead, CacheOutcome) -> Void
    /// Called when a stored response replaces a failure of the server.
    let onServerFailure: @Sendable () -> Void
    let now: @Sendable () -> Date
    /// The lifetime that the API chooses for a response which names none; `nil` for none.
    let lifetime: @Sendable (HTTPURLResponse) -> Duration?

    /// The response to the request, from the cache or from the network.
    func replies() -> ReplyPublisher {
        guard request.method.isSafe else { return forward(request, by: send) }
        return store.withResponses(for: key) { stored in
            let stored = allowsErrors ? stored : stored.filter { $0.statusCode < 400 }
            switch CacheRules.decision(for: request, among: stored, at: now()) {
            case .forward(let request): return forward(request, by: send)
            case .use(let response):
                return answer(response, Freshness(of: response, at: now()).isFresh ? .fresh : .stale)
            case .useAndRevalidate(let response, let request):
                revalidations.run(for: key) { validate(response, with: request, by: sendInBackground, answers: false) }
                return answer(response, .stale)
            case .validate(let response, let request):
                return validate(response, with: request, by: send, answers: true)
            case .unsatisfiable: return Just(gatewayTimeout).setFailureType(to: (any Error).self).eraseToAnyPublisher()
            }
        }
    }

    private var url: URL { request.url ?? URL(fileURLWithPath: "/") }

    /// The response to a request that must not be sent, when no stored response fits (RFC 9111, section 5.2.1.7).
    private var gatewayTimeout: StreamedReply {
        StreamedReply(ResponseHead(statusCode: 504, headers: [:], url: url), data: Data())
    }

    private func answer(_ response: StoredResponse, _ outcome: CacheOutcome) -> ReplyPublisher {
        let head = response.head(at: now(), for: url)
        onUse(head, outcome)
        let answer = StreamedReply(head, data: request.method == .head ? Data() : response.body)
        return Result.Publisher(answer).eraseToAnyPublisher()
    }
}

// MARK: Storing

extension CachedExchange {
    /// The time of sending, and the invalidations of the URL before it.
    private struct Start {
        let date: Date
        let generation: Int
    }

    private func head(of reply: StreamedReply, to start: Start) -> ReceivedHead {
        let (status, headers) = (reply.response.statusCode, HTTPHeaders(reply.response.headerDictionary))
        return ReceivedHead(statusCode: status, headers: headers, requestedAt: start.date, receivedAt: now())
    }

    private var start: Start { Start(date: now(), generation: generation) }
    private var generation: Int { cache.invalidations.generation(of: request.url.map(ResponseKey.name) ?? "") }

    private func forward(_ request: URLRequest, by send: @escaping Send) -> ReplyPublisher {
        let start = start
        guard !request.method.isSafe else {
            return send(request).map { keep($0, to: request, start) }.eraseToAnyPublisher()
        }
        return send(request)
            .flatMap { reply in
                invalidate(after: reply, to: request).append(Just(reply).setFailureType(to: (any Error).self))
            }
            .eraseToAnyPublisher()
    }

    /// Removes what an unsafe method has changed, as soon as the response comes.
    private func invalidate(after reply: StreamedReply, to request: URLRequest) -> ReplyPublisher {
        guard let target = request.url else { return Empty().eraseToAnyPublisher() }
        let response = reply.response
        var urls = CacheRules.invalidated(
            by: request.method,
            statusCode: response.statusCode,
            headers: HTTPHeaders(response.headerDictionary),
            url: target
        )
        // The target of a redirect has changed as well.
        if !urls.isEmpty, let end = response.url, end.origin == target.origin { urls.append(end) }
        for url in urls { cache.invalidations.advance(ResponseKey.name(of: url)) }
        return urls.isEmpty ? Empty().eraseToAnyPublisher() : store.removeAll(for: urls)
    }

    /// Changes what is stored, unless the URL has been invalidated since the start.
    private func change<Output>(
        since start: Start,
        _ change: @escaping @Sendable ([StoredResponse]) -> [StoredResponse]
    ) -> AnyPublisher<Output, any Error> {
        start.generation == generation ? store.change(key, change) : Empty().eraseToAnyPublisher()
    }

    /// The response, which is stored when its body is complete.
    private func keep(_ reply: StreamedReply, to request: URLRequest, _ start: Start) -> StreamedReply {
        guard let url = reply.response.url ?? request.url else { return reply }
        var head = head(of: reply, to: start)
        switch request.method {
        case .get, .query:
            // A redirect may lead elsewhere the next time.
            guard ResponseKey.name(of: url) == request.url.map(ResponseKey.name),
                CacheRules.mayStore(request: request, statusCode: head.statusCode, headers: head.headers)
            else { return reply }
            if CacheRules.namesNoLifetime(head.headers) { head.lifetime = lifetime(reply.response)?.inSeconds }
            guard head.mayBeStored else { return reply }
            return reply.recorded(atMost: cache.largestBody) { [head] body in
                let new = StoredResponse(answering: request, head, body: body)
                return change(since: start) { $0.filter { !$0.selects(request) } + [new] }
            }
        case .head:
            return reply.followed { [head] in
                change(since: start) { $0.compactMap { $0.updated(byHead: head, answering: request).ifStorable } }
            }
        default: return reply
        }
    }
}

extension StoredResponse {
    /// The response, if it may still be stored with its present headers.
    fileprivate var ifStorable: StoredResponse? {
        CacheRules.mayStore(request: nil, statusCode: statusCode, headers: headers) && head.mayBeStored ? self : nil
    }
}

extension ReceivedHead {
    /// False if the API has chosen that the response is not stored.
    fileprivate var mayBeStored: Bool { lifetime.map { $0 > 0 } ?? true }
}

// MARK: Validating

extension CachedExchange {
    /// A response that a 304 has updated, with its lifetime chosen anew.
    private func withLifetime(_ updated: StoredResponse) -> StoredResponse {
        var response = updated
        let isOpen = CacheRules.namesNoLifetime(response.headers)
        let head = ResponseHead(statusCode: response.statusCode, headers: response.headers, url: url)
        response.head.lifetime = isOpen ? lifetime(head.httpURLResponse)?.inSeconds : nil
        return response
    }

    /// Asks the server whether a stored response is still valid.
    private func validate(
        _ stored: StoredResponse,
        with conditional: URLRequest,
        by send: @escaping Send,
        answers: Bool
    ) -> ReplyPublisher {
        let start = start
        func use(_ response: StoredResponse, _ outcome: CacheOutcome) -> ReplyPublisher {
            Deferred { answers ? answer(response, outcome) : Empty().eraseToAnyPublisher() }.eraseToAnyPublisher()
        }
        func useOnError() -> ReplyPublisher? {
            guard CacheRules.mayUseOnError(stored, for: request, at: now()) else { return nil }
            onServerFailure()
            return use(stored, .stale)
        }
        return send(conditional)
            .map { reply -> ReplyPublisher in
                let head = head(of: reply, to: start)
                if head.statusCode == 304, stored.isConfirmed(by: head.headers) {
                    let updated = withLifetime(stored.updated(by: head, answering: request))
                    return reply.drained
                        .append(
                            change(since: start) { stored in
                                stored.filter { !$0.selects(request) } + [updated.ifStorable].compactMap(\.self)
                            }
                        )
                        .append(use(updated, .validated))
                        .eraseToAnyPublisher()
                }
                if head.statusCode == 304 {
                    return reply.drained.append(forward(request, by: send)).eraseToAnyPublisher()
                }
                if StatusCacheability.isError(head.statusCode), let fallback = useOnError() {
                    return reply.drained.append(fallback).eraseToAnyPublisher()
                }
                let kept = keep(reply, to: request, start)
                return Just(kept).setFailureType(to: (any Error).self).eraseToAnyPublisher()
            }
            .catch { error -> AnyPublisher<ReplyPublisher, any Error> in
                guard error.isTransient, let fallback = useOnError() else {
                    return Fail(error: error).eraseToAnyPublisher()
                }
                return Just(fallback).setFailureType(to: (any Error).self).eraseToAnyPublisher()
            }
            .flatMap { $0 }
            .eraseToAnyPublisher()
    }
}

/// Revalidations in the background, at most one for each key. They continue when the call is over.
final class RevalidationTasks: Sendable {
    private struct State {
        var last = 0
        var running: [ResponseKey: (number: Int, subscription: AnyCancellable?)] = [:]
    }

    private let state = Locked(State())

    /// Subscribes to the publisher of `make` and reads its responses, unless this is under way for the key.
    func run(for key: ResponseKey, _ make: () -> ReplyPublisher) {
        let number = state.withLock { state -> Int? in
            guard state.running[key] == nil else { return nil }
            state.last += 1
            state.running[key] = (state.last, nil)
            return state.last
        }
        guard let number else { return }
        let subscription = make().continued(by: \.drained).sink { _ in
            let ended = self.state.withLock { state in
                state.running[key]?.number == number ? state.running.removeValue(forKey: key) : nil
            }
            withExtendedLifetime(ended) {}
        } receiveValue: { _ in
        }
        // It may have ended already.
        state.withLockUnchecked { state in
            if state.running[key]?.number == number { state.running[key] = (number, subscription) }
        }
    }
}
