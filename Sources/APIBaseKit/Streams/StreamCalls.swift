import HTTPTransport

/// Calls for streams by one request object, all in the scope in which the first one was started.
struct StreamCalls {
    let api: APIBase
    private let context = CallerContext()
    private let scope = CallScope.current

    init(of api: APIBase) {
        self.api = api
    }

    /// One call, as often as it is subscribed to.
    func call(_ overrides: CallOverrides? = nil) -> AnyPublisher<StreamedReply, any Error> {
        StreamPublisher(api: api, context: context, scope: scope, overrides: overrides).eraseToAnyPublisher()
    }

    /// Delivers what `make` makes of the calls inside their scope.
    func deliver<Output>(
        _ make: (StreamCalls) -> AnyPublisher<Output, any Error>
    ) -> AnyPublisher<Output, any Error> {
        guard let scope else { return make(self) }
        return make(self).inScope(scope)
    }

    /// The time of the calls.
    func makeClock() -> any CallClock { scope?.makeClock() ?? api.makeClock() }
}

private struct StreamPublisher: Publisher {
    typealias Output = StreamedReply
    typealias Failure = any Error

    let api: APIBase
    let context: CallerContext
    let scope: CallScope?
    let overrides: CallOverrides?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscriber = AnySubscriber(subscriber)
        let call = Call(of: api, in: context, scope: scope, for: .stream(subscriber), overrides: overrides)
        subscriber.receive(subscription: call)
        call.begin()
    }
}
