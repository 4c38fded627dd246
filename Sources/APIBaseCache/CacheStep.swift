import Basics
import HTTPTransport

extension APIBase {
    /// The cache of responses, shared by the calls of an API. `nil` by default.
    public var cache: ResponseCache? {
        get { features[ResponseCache.self] }
        set { features[ResponseCache.self] = newValue }
    }
}

extension APIAccount {
    /// The cache; `nil` for that of the API.
    public var cache: ResponseCache? {
        get { features[ResponseCache.self] }
        set { features[ResponseCache.self] = newValue }
    }

    /// Creates an account with a cache of its own, or `nil` for that of the API.
    public init(
        baseURL: URL? = nil,
        authorization: Authorization? = nil,
        headers: HTTPHeaders = [:],
        session: (any HTTPSession)? = nil,
        cache: ResponseCache?
    ) {
        self.init(baseURL: baseURL, authorization: authorization, headers: headers, session: session)
        self.cache = cache
    }
}

extension ResponseCache: CallFeature {
    package static var position: StepPosition { .aroundExchange }

    package func sendingStep(in call: Call) -> (any SendingStep)? {
        // A session of the account may identify it where nothing in the request does.
        guard call.account?.session == nil || call.account?.cache != nil else { return nil }
        return CacheStep(call: call, cache: self)
    }
}

/// Answers with a stored response of the ``APIBase/cache``, validates stored responses, and stores new ones.
struct CacheStep: SendingStep {
    let call: Call
    let cache: ResponseCache

    func replies(to attempt: Attempt, next: NextSending) -> ReplyPublisher {
        guard CacheRules.concern(attempt.request), hasKnownQuery(attempt.request) else {
            return next.replies(to: attempt)
        }
        return Deferred { exchange(for: attempt, next: next).replies() }.eraseToAnyPublisher()
    }

    /// False for a `QUERY` with a body that has to be read: its digest is not known before it is sent.
    private func hasKnownQuery(_ request: URLRequest) -> Bool {
        guard request.method == .query else { return true }
        return (try? call.api.transportBody(of: request))?.needsReading == false
    }

    private func exchange(for attempt: Attempt, next: NextSending) -> CachedExchange {
        let (call, request) = (call, attempt.request)
        let store = cache.store(of: call.standInOwner)
        let names = call.secretHeaders
        return CachedExchange(
            cache: cache,
            store: store,
            key: store.key(ResponseKey(request, secretHeaders: names, tokensOf: attempt.tokenIdentity)),
            request: request,
            send: { changed in
                var attempt = attempt
                attempt.request = changed
                return next.replies(to: attempt)
            },
            sendInBackground: { call.sendInBackground($0) },
            revalidations: cache.revalidations(of: call.standInOwner),
            allowsErrors: attempt.number == 1,
            onUse: { call.usesStored($0, $1, for: request) },
            onServerFailure: { call.state.withLock { $0.server = .failure } },
            now: { [clock = call.clock] in clock.date },
            lifetime: { response in call.inContext { call.inScope { call.api.lifetime(of: response) } } }
        )
    }
}

extension Call {
    /// A stored response is used, after its validation or in place of one from the server.
    fileprivate func usesStored(_ head: ResponseHead, _ outcome: CacheOutcome, for request: URLRequest) {
        state.withLock { state in
            state.report.cacheOutcome = outcome
            guard outcome != .validated else { return }
            state.replaceRequest(by: request)
            state.phase = .body
            if state.server == nil { state.server = .unknown }
        }
        let last = api.shared.withLockUnchecked { object in
            defer {
                if outcome != .validated { object.request = request }
                object.head = head
            }
            return (object.request, object.head)
        }
        withExtendedLifetime(last) {}
        emit(for: request) { .cached($0, outcome) }
    }

    /// Sends a request without reporting to the call, which is over by then.
    fileprivate func sendInBackground(_ request: URLRequest) -> ReplyPublisher {
        if let stub = api.dataTaskPublisher {
            return stub.map { StreamedReply(ResponseHead($1), data: $0) }.eraseToAnyPublisher()
        }
        do {
            var exchange = try exchange(for: request)
            exchange.caller = BackgroundCaller(self)
            return session.response(to: exchange)
                .map { StreamedReply(ResponseHead($1), data: $0) }
                .mapError { $0 }
                .eraseToAnyPublisher()
        } catch {
            return Fail(error: error).eraseToAnyPublisher()
        }
    }
}

/// The caller of an exchange that reports to no call.
private final class BackgroundCaller: APICaller {
    let type: any AnyObject.Type
    let coders: (decoder: JSONDecoder, encoder: JSONEncoder)?
    let baseURL: URL?
    let account: APIAccount?
    let secretHeaders: Set<String>
    let endpointPath: EndpointPath?
    let startPlace: (fileID: String, line: Int)?
    let clock: any CallClock
    let standing = CallStanding.running
    private let redirecting: @Sendable (ExchangeRequest, ResponseHead) -> URLRequest?

    init(_ call: Call) {
        (type, coders, baseURL, clock) = (call.type, call.coders, call.baseURL, call.clock)
        (account, secretHeaders, endpointPath) = (call.account, call.secretHeaders, call.endpointPath)
        startPlace = call.startPlace
        redirecting = { call.redirect($0, after: $1) }
    }

    func inContext(_ body: () -> Void) { body() }
    func refusal(of request: ExchangeRequest) -> (any Error)? { nil }
    func redirect(_ next: ExchangeRequest, after head: ResponseHead) -> URLRequest? { redirecting(next, head) }
    func hopEnded(_ report: HopReport) {}
}
