import HTTPTransport

extension APIBase {
    /// Starts the call and delivers its response as soon as the head is there. The body follows on demand.
    ///
    /// ```swift
    /// for try await chunk in CallSequence(request.sendStream().body) { … }
    /// ```
    ///
    /// Credentials, retries, gate, cache, interceptors, stubs and recordings work as for ``startRequest()``.
    /// ``sharing`` does not apply. A call is retried until a head is accepted, and not once its body has begun. It
    /// holds its place at a ``CallGate`` until its head is there, and reports its end when the body has ended.
    ///
    /// There is no limit on the total time: ``timeout`` does not apply, but
    /// ``/HTTPTransport/ExchangeRequest/Limits/idle`` does, and ``/HTTPTransport/ExchangeRequest/Limits/total`` of
    /// ``limits`` if it is set. The number of bytes has no limit either, unless
    /// ``/HTTPTransport/ExchangeRequest/Limits/responseBytes`` differs from its default.
    ///
    /// - Returns: A publisher of one response. It fails with ``RequestError/httpFailure(_:)``, or the API's own error
    ///   for that, if ``accepts(_:)`` rejects the head, and with the errors of ``startRequest()``. Every subscription
    ///   sends once. Canceling it cancels the call before the head has come; after that, cancel the body.
    public func sendStream() -> AnyPublisher<StreamedReply, any Error> {
        StreamCalls(of: self).deliver { $0.call() }
    }
}

/// Calls for streams by one request object, all in the scope in which this value is made.
package struct StreamCalls {
    package let api: APIBase
    let scope = CallScope.current
    private let context = CallerTaskLocals()

    package init(of api: APIBase) {
        self.api = api
    }

    /// A publisher that makes one call for each subscription.
    package func call(_ variant: (any CallVariant)? = nil) -> AnyPublisher<StreamedReply, any Error> {
        StreamPublisher(api: api, context: context, scope: scope, variant: variant).eraseToAnyPublisher()
    }

    /// The publisher that `make` returns, with its deliveries in the scope of the calls.
    func deliver<Output>(
        _ make: (StreamCalls) -> AnyPublisher<Output, any Error>
    ) -> AnyPublisher<Output, any Error> {
        guard let scope else { return make(self) }
        return make(self).inScope(scope)
    }

    /// Runs `body` where the calls are started.
    package func run<Value>(_ body: () -> Value) -> Value { context.run { scope?.run(body) ?? body() } }

    /// The clock goes on at the time of the task, which may have awaited calls.
    func follow(_ clock: any CallClock) { if let scope { clock.catchUp(to: scope.taskTime) } }

    /// The clock of the calls.
    package func makeClock() -> any CallClock { scope?.makeClock() ?? api.makeClock() }

    /// A wait before the next call. It publishes nothing.
    package func pause(
        _ duration: Duration,
        on clock: any CallClock,
        for reason: CallScope.WaitReason = .reconnection
    ) -> AnyPublisher<Never, any Error> {
        if let error = scope?.deadlineError(within: duration) { return Fail(error: error).eraseToAnyPublisher() }
        follow(clock)
        standIn?.noteWait(for: reason, of: duration)
        return clock.pause(duration)
    }

    /// The answerer of the last request to a URL in place of the network; `nil` if that is not known.
    func answerer(of url: URL) -> String? { standIn?.answerer(of: url) }

    private var standIn: (any StandIn)? { scope?.standIn ?? api.standIn(of: api.account) }
}

private struct StreamPublisher: Publisher {
    typealias Output = StreamedReply
    typealias Failure = any Error

    let api: APIBase
    let context: CallerTaskLocals
    let scope: CallScope?
    let variant: (any CallVariant)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscriber = AnySubscriber(subscriber)
        let scope = CallScope.of(api, in: scope)
        let call = Call(of: api, in: context, scope: scope, for: .stream(subscriber), variant: variant)
        subscriber.receive(subscription: call)
        call.begin()
    }
}
