import Basics
import HTTPTransport

/// Answers with a stored response of the ``APIBase/cache``, validates stored responses, and stores new ones.
package struct CacheStep: SendingStep {
    private let call: Call
    private let cache: ResponseCache

    package init?(_ call: Call) {
        // A session of the account may identify it where nothing in the request does.
        let own = call.account?.session == nil ? call.api.cache : nil
        guard let cache = call.account?.cache ?? own else { return nil }
        (self.call, self.cache) = (call, cache)
    }

    var identity: AnyHashable? { ObjectIdentifier(cache) }

    func replies(to attempt: Attempt, next: NextSending) -> ReplyPublisher {
        Deferred { exchange(for: attempt, next: next).replies() }.eraseToAnyPublisher()
    }

    private func exchange(for attempt: Attempt, next: NextSending) -> CachedExchange {
        let (call, request) = (call, attempt.request)
        let store = cache.store(of: call.substitute)
        let names = call.secretHeaders
        return CachedExchange(
            cache: cache,
            store: store,
            key: store.key(ResponseCache.Key(request, secretHeaders: names, tokensOf: attempt.tokenIdentity)),
            request: request,
            send: { changed in
                var attempt = attempt
                attempt.request = changed
                return next.replies(to: attempt)
            },
            sendInBackground: { call.sendInBackground($0) },
            revalidations: cache.revalidations(of: call.substitute),
            allowsErrors: attempt.number == 1,
            onUse: { call.usesStored($0, $1, for: request) },
            onServerFailure: { call.record(server: .failure) },
            now: { [clock = call.clock] in clock.date },
            lifetime: { response in call.inAttempt { call.inScope { call.api.lifetime(of: response) } } }
        )
    }
}

extension Call {
    /// Sends a request without reporting to the call, which is over by then.
    fileprivate func sendInBackground(_ request: URLRequest) -> ReplyPublisher {
        if let stub = api.dataTaskPublisher {
            return stub.map { StreamedReply(ResponseHead($1), data: $0) }.eraseToAnyPublisher()
        }
        do {
            var exchange = try api.exchange(for: request, of: account)
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
    let clock: any CallClock
    let standing = CallStanding.running
    private let redirecting: @Sendable (ExchangeRequest, ResponseHead) -> URLRequest?

    init(_ call: Call) {
        (type, coders, baseURL, clock) = (call.type, call.coders, call.baseURL, call.clock)
        account = call.account
        redirecting = { call.redirect($0, after: $1) }
    }

    func inContext(_ body: () -> Void) { body() }
    func refusal(of request: ExchangeRequest) -> (any Error)? { nil }
    func redirect(_ next: ExchangeRequest, after head: ResponseHead) -> URLRequest? { redirecting(next, head) }
    func hopEnded(_ report: HopReport) {}
}

extension CallClock {
    /// The date on this clock. On a clock that only a test moves, the date moves with the clock.
    fileprivate var date: Date {
        self is WallClock || self is ImmediateClock ? Date() : StartOfManualClocks.date + now.inSeconds
    }
}

/// The date at the zero of a clock that a test moves.
private enum StartOfManualClocks {
    static let date = Date()
}
