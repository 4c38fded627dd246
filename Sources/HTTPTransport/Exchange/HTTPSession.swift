public import Foundation
public import PortableCombine

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The interface to the network.
///
/// A conforming type carries out hops (one request on the wire; a redirect starts the next); ``events(for:)`` and
/// ``response(to:progress:)`` build whole exchanges on them, which are requests with their redirects. `URLSession`
/// conforms; ``DefaultSession/shared`` is the default.
public protocol HTTPSession: AnyObject, Sendable {
    /// One hop: sends the request once and publishes the response as it arrives.
    ///
    /// The publisher is cold: each subscription is one hop, which starts with the first demand. It never follows
    /// redirects, and uses no cookies, no cache and no stored credentials. Every event takes one of the demand; where
    /// the engine can pause, bytes without demand stay with the sender. Canceling ends the hop.
    ///
    /// - Parameter request: What to send. ``ExchangeRequest/Limits/connect``, ``ExchangeRequest/Limits/idle``,
    ///   ``ExchangeRequest/Limits/total`` and ``ExchangeRequest/Limits/queuedBytes`` are applied here, since only the
    ///   session knows when a hop has its turn; the other limits are applied in ``events(for:)``.
    /// - Returns: `sent`, `head` and `body` as they happen, then the end.
    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError>

    /// Runs tasks where the session delivers responses, so that a task that awaits one needs no other thread to go on;
    /// `nil` for a session without threads of its own.
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(DefaultSession.shared.executor) {
    ///     try await BookRequest(id: 7).value()
    /// }
    /// ```
    ///
    /// It is for services with many short calls. The code of such a task, its child tasks included, runs on the threads
    /// of the session while it has any, from its first exchange to its shutdown, but for code of the main actor and of actors with an executor of their own (SE-0417). Between
    /// suspensions it should take a few milliseconds at most, as a subscriber should: if it takes longer, another
    /// thread takes over the session's work.
    ///
    /// `nil` by default, and then `withTaskExecutorPreference` changes nothing.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    var executor: (any TaskExecutor)? { get }
}

extension HTTPSession {
    /// `nil`: the session has no threads of its own.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public var executor: (any TaskExecutor)? { nil }
}

extension HTTPSession {
    /// One exchange: the request is checked, redirects are followed, limits are applied.
    ///
    /// Cold, one exchange for each subscription, started by the first demand; demand reaches the engine. Events arrive
    /// one after another, on a thread of the session. A subscriber may block there: others continue after a few
    /// milliseconds at most. After the end, or once `cancel()` has returned, nothing is delivered, except what another
    /// thread had already begun to deliver.
    ///
    /// Redirects: at most ``ExchangeRequest/Limits/redirects``. 301 and 302 turn `POST` into `GET`, 303 everything but
    /// `HEAD`, without the body and its `Content-*` headers. 307 and 308 keep method and body, **also for another
    /// origin**; if the body cannot be replayed, the redirect is the response. Secret headers
    /// (``HTTPHeaders/secretNames`` and ``ExchangeRequest/secretHeaders``) are dropped for good as soon as scheme, host
    /// or port change. From https to http, to other schemes and to URLs with a user name, the exchange fails. `sent`
    /// restarts with each hop.
    ///
    /// - Parameter request: What to send.
    /// - Returns: `sent` as often as the engine reports it, then `head` once, then `body` any number of times.
    public func events(for request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        ColdPublisher { Exchange(request, on: self, for: .stream(SubscribedReader($0))) }.eraseToAnyPublisher()
    }

    /// One exchange as ``events(for:)``, read to its end: one value, then the completion.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - progress: Called with counts of bytes, on the same queue as the value and before it.
    /// - Returns: The whole body, decompressed, and the response, whatever its status.
    public func response(
        to request: ExchangeRequest,
        progress: (@Sendable (ExchangeRequest.Progress) -> Void)? = nil
    ) -> AnyPublisher<(data: Data, response: HTTPURLResponse), TransportError> {
        ColdPublisher { subscriber in
            let reader = ResponseReader(subscriber, progress: progress)
            return Exchange(request, on: self, for: .whole(reader, counts: progress != nil))
        }.eraseToAnyPublisher()
    }
}

/// A publisher that creates a subscription for each subscriber, and does nothing before.
package struct ColdPublisher<Output, Failure: Error>: Publisher {
    private let makeSubscription: (AnySubscriber<Output, Failure>) -> any Subscription

    /// - Parameter makeSubscription: Creates the subscription of one subscriber, which must start nothing before the
    ///   first demand.
    package init(_ makeSubscription: @escaping (AnySubscriber<Output, Failure>) -> any Subscription) {
        self.makeSubscription = makeSubscription
    }

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: makeSubscription(AnySubscriber(subscriber)))
    }
}
