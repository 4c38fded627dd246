import Basics
import HTTPTransport

extension Call {
    /// The request as it goes through the cache of the API, with the token of `source` if there is one.
    func cachedExchange(for request: URLRequest, of source: TokenSource?, by cache: ResponseCache) -> CachedExchange {
        let shelf = cache.shelf(of: substitute)
        let key = ResponseKey(request, secretHeaders: api.allSecretHeaders, tokensOf: source?.identity)
        return CachedExchange(
            cache: cache,
            shelf: shelf,
            key: shelf.key(key),
            request: request,
            send: { self.send($0) },
            sendLater: { self.background($0) },
            background: cache.background(of: substitute),
            takesErrors: state.withLock { $0.attempt } == 1,
            used: { self.usesStored($0, $1, for: request) },
            failed: { self.state.withLock { $0.storedOutcome = .failure } },
            now: { [clock] in clock.date }
        )
    }

    /// A stored reply answers the attempt.
    private func usesStored(_ head: ResponseHead, _ use: CacheUse, for request: URLRequest) {
        if use != .validated {
            state.withLock {
                ($0.report.request, $0.phase) = (request, .body)
                if $0.storedOutcome == nil { $0.storedOutcome = .unknown }
            }
            api.lastAttempt.withLock { $0.request = request }
        }
        api.lastAttempt.withLock { $0.head = head }
        tell(of: request) { .cached($0, use) }
    }

    /// Sends a request of which the call is told nothing, because it is over by then.
    private func background(_ request: URLRequest) -> CachedExchange.Replies {
        if let stub = api.dataTaskPublisher {
            return stub.map { StreamedReply(ResponseHead($1), data: $0) }.eraseToAnyPublisher()
        }
        do {
            var exchange = try api.exchange(for: request)
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

/// A call that is told nothing of an exchange.
private final class BackgroundCaller: ExchangeCaller {
    let type: any AnyObject.Type
    let coders: (decoder: JSONDecoder, encoder: JSONEncoder)?
    let baseURL: URL?
    let clock: any CallClock
    let standing = CallStanding.running

    init(_ call: Call) {
        (type, coders, baseURL, clock) = (call.type, call.coders, call.api.effectiveBaseURL, call.clock)
    }

    func inContext(_ body: () -> Void) { body() }
    func refusal(of request: ExchangeRequest) -> (any Error)? { nil }
    func hopEnded(_ report: HopReport) {}
}

extension CallClock {
    /// The time of day on this clock. On one that only a test moves, it stands still like the clock itself.
    fileprivate var date: Date {
        self is WallClock || self is ImmediateClock ? Date() : StartOfManualClocks.date + now.inSeconds
    }
}

/// The time that a clock which is moved by a test shows at its zero.
private enum StartOfManualClocks {
    static let date = Date()
}
