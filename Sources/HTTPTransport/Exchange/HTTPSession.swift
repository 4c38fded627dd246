public import Foundation
public import PortableCombine

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The whole network seam: carries out one exchange at a time, as often as it is asked to.
///
/// A conforming type says how one hop is done; ``events(for:)`` and ``response(to:progress:)`` make of it what a client
/// needs. `URLSession` conforms; ``DefaultSession/shared`` is the one to use where there is no reason for another.
public protocol HTTPSession: AnyObject, Sendable {
    /// One hop: the request goes out once and what comes back is published as it comes.
    ///
    /// The publisher is cold: each subscription is one exchange, which starts with the first demand. It never follows
    /// redirects, and uses no cookies, no cache and no stored credentials. Every event takes one of what was demanded;
    /// where the engine can pause, bytes that are not demanded stay with the sender. Cancelling ends the exchange.
    ///
    /// - Parameter request: What to send. ``ExchangeLimits/connect``, ``ExchangeLimits/idle``, ``ExchangeLimits/total``
    ///   and ``ExchangeLimits/queuedBytes`` are applied here, since only the session knows when an exchange has its turn;
    ///   the other limits are applied in ``events(for:)``.
    /// - Returns: `sent`, `head` and `body` as they happen, then the end.
    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError>
}

extension HTTPSession {
    /// One exchange with everything around it: the request is checked, redirects are followed, limits are applied.
    ///
    /// Cold, one exchange for each subscription, started by the first demand; demand reaches the engine. Events arrive
    /// one after another, on a thread of the session's. A subscriber may block there: others go on, at the latest
    /// when some milliseconds have passed. After the end, or once `cancel()` has returned, nothing is delivered, except
    /// what another thread had begun to deliver before.
    ///
    /// Redirects: at most ``ExchangeLimits/redirects``. 301 and 302 turn `POST` into `GET`, 303 everything but `HEAD`;
    /// the body and its `Content-*` headers go with the method. 307 and 308 keep both, **also for another origin**; a
    /// body that cannot be replayed makes the redirect the response. Secret headers (``SecretHeaders/default`` and
    /// ``ExchangeRequest/secretHeaders``) are dropped for good as soon as scheme, host or port change. From https to
    /// http, to other schemes and to URLs with a user name, the exchange fails. `sent` begins anew with each hop.
    ///
    /// - Parameter request: What to send.
    /// - Returns: `sent` as often as the engine tells, then `head` once, then `body` any number of times.
    public func events(for request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        ColdPublisher { Exchange(request, on: self, for: .stream(SubscribedReader($0))) }.eraseToAnyPublisher()
    }

    /// One exchange as ``events(for:)``, read to its end: one value, then the completion.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - progress: Called as bytes go and come, on the same queue as the value and before it.
    /// - Returns: The whole body, decompressed, and the response, whatever its status.
    public func response(
        to request: ExchangeRequest,
        progress: (@Sendable (ExchangeProgress) -> Void)? = nil
    ) -> AnyPublisher<(data: Data, response: HTTPURLResponse), TransportError> {
        ColdPublisher { subscriber in
            let reader = ResponseReader(subscriber, progress: progress)
            return Exchange(request, on: self, for: .whole(reader, counts: progress != nil))
        }.eraseToAnyPublisher()
    }
}
