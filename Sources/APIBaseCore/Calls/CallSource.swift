/// A call without operators of users: the origin of the publisher that ``APIBase/startRequest()`` returns.
///
/// The kit's operators take the response of such a call directly. After other operators, they take the tuple.
@usableFromInline final class CallSource {
    private let api: APIBase
    private let context: CallerTaskLocals
    private let scope: CallScope?
    /// The checks of the response, in order.
    private let checks: [(CallResponse) throws -> Void]

    /// A call that the running code starts.
    convenience init(of api: APIBase) {
        self.init(api, CallerTaskLocals(), CallScope.current, checks: [])
    }

    private init(
        _ api: APIBase,
        _ context: CallerTaskLocals,
        _ scope: CallScope?,
        checks: [(CallResponse) throws -> Void]
    ) {
        self.api = api
        self.context = context
        self.scope = scope
        self.checks = checks
    }

    func checked(_ check: @escaping (CallResponse) throws -> Void) -> CallSource {
        CallSource(api, context, scope, checks: checks + [check])
    }

    /// The call that a publisher was made of; `nil` if there are other operators.
    @usableFromInline static func origin(
        of publisher: AnyPublisher<APIBase.DataResponseTuple, any Error>
    ) -> CallSource? { publisher.madeOf as? CallSource }

    var publisher: AnyPublisher<APIBase.DataResponseTuple, any Error> { erased(madeOf: self) }

    /// Starts a call for one subscriber.
    @usableFromInline func start(_ receiver: ResponseReceiver) {
        let receiver = checkedInScope(receiver)
        let call = Call(of: api, in: context, scope: .of(api, in: scope), for: .whole(receiver))
        receiver.receive(subscription: call)
        call.begin()
    }

    /// Runs `body` inside the scope of the call.
    func inScope<Value>(_ body: () throws -> Value) rethrows -> Value { try scope?.run(body) ?? body() }

    /// A receiver that runs the checks first, and inside the scope of the call, so that calls it starts belong there.
    private func checkedInScope(_ receiver: ResponseReceiver) -> ResponseReceiver {
        guard scope != nil || !checks.isEmpty else { return receiver }
        return ResponseReceiver { [scope, checks] event in
            let take = {
                if case .reply(let reply) = event { for check in checks { try check(reply) } }
                return try receiver.take(event)
            }
            return try scope?.run(take) ?? take()
        }
    }
}

extension CallSource: Publisher {
    @usableFromInline typealias Output = APIBase.DataResponseTuple
    @usableFromInline typealias Failure = any Error

    @usableFromInline func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        // The operators that follow still read the response.
        start(.mapping(for: subscriber, endsDelivery: false) { $0.tuple })
    }
}

/// A call whose responses are mapped to values.
@usableFromInline final class MappedCall<Output>: Publisher {
    @usableFromInline typealias Failure = any Error

    @usableFromInline let source: CallSource
    @usableFromInline let transform: (CallResponse) throws -> Output

    @usableFromInline init(source: CallSource, _ transform: @escaping (CallResponse) throws -> Output) {
        self.source = source
        self.transform = transform
    }

    /// Maps a response that the running task has awaited, inside the scope of the call.
    @usableFromInline func value(of reply: AwaitedResponse) throws -> Output {
        try source.inScope {
            guard let call = reply.call else { return try transform(reply.response) }
            do {
                return try Delivery.runInTask(of: call) { try transform(reply.response) }
            } catch {
                throw error.without(call.secrets)
            }
        }
    }

    @inlinable func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        source.start(.mapping(for: subscriber, transform))
    }
}

extension ResponseReceiver {
    /// Maps responses for a subscriber.
    @inlinable static func mapping<S: Subscriber>(
        for subscriber: S,
        endsDelivery: Bool = true,
        _ transform: @escaping (CallResponse) throws -> S.Input
    ) -> ResponseReceiver where S.Failure == any Error {
        ResponseReceiver { event in
            switch event {
            case .reply(let reply):
                let value = try transform(reply)
                if endsDelivery { Delivery.end() }
                return subscriber.receive(value)
            case .subscription(let subscription): subscriber.receive(subscription: subscription)
            case .completion(let completion): subscriber.receive(completion: completion)
            }
            return .none
        }
    }
}

extension AnyPublisher where Output == APIBase.DataResponseTuple, Failure == any Error {
    /// Maps the responses to a call.
    @inlinable package func mapResponses<Value>(
        _ transform: @escaping (CallResponse) throws -> Value
    ) -> AnyPublisher<Value, any Error> {
        guard let source = CallSource.origin(of: self) else {
            return tryMap { reply in
                defer { Delivery.end() }
                return try transform(CallResponse(reply))
            }
            .eraseToAnyPublisher()
        }
        let call = MappedCall(source: source, transform)
        return call.erased(madeOf: call)
    }

    /// Fails for responses that do not pass a check.
    func checkingResponses(
        _ check: @escaping (CallResponse) throws -> Void
    ) -> AnyPublisher<APIBase.DataResponseTuple, any Error> {
        guard let source = CallSource.origin(of: self) else {
            return tryMap { reply in
                try check(CallResponse(reply))
                return reply
            }
            .eraseToAnyPublisher()
        }
        return source.checked(check).publisher
    }
}
