import Basics

/// A call without operators of users: the origin of the publisher that ``APIBase/startRequest()`` returns.
///
/// The kit's operators take the response of such a call directly. After other operators, they take the tuple.
@usableFromInline final class CallSource {
    private let api: APIBase
    private let context: CallerTaskLocals
    private let scope: CallScope?
    /// The check of the response.
    private let check: ((CallResponse) throws -> Void)?

    /// A call that the running code starts.
    convenience init(of api: APIBase, checking check: ((CallResponse) throws -> Void)? = nil) {
        let scope = CallScope.current
        self.init(api, CallerTaskLocals(areRead: scope != nil || api.runsCodeInAttempts), scope, check)
    }

    private init(
        _ api: APIBase,
        _ context: CallerTaskLocals,
        _ scope: CallScope?,
        _ check: ((CallResponse) throws -> Void)?
    ) {
        self.api = api
        self.context = context
        self.scope = scope
        self.check = check
    }

    /// The call with another check, after those before.
    func checked(_ check: @escaping (CallResponse) throws -> Void) -> CallSource {
        guard let first = self.check else { return CallSource(api, context, scope, check) }
        return CallSource(api, context, scope) { reply in
            try first(reply)
            try check(reply)
        }
    }

    /// The call that a publisher was made of; `nil` if there are other operators.
    @usableFromInline static func origin(
        of publisher: AnyPublisher<APIBase.DataResponseTuple, any Error>
    ) -> CallSource? { publisher.madeOf as? CallSource }

    var publisher: AnyPublisher<APIBase.DataResponseTuple, any Error> { erased(madeOf: self) }

    /// Starts a call for one subscriber.
    @usableFromInline func start(_ receiver: ResponseReceiver) {
        let receiver = checkedInScope(receiver)
        let call = call(for: .whole(receiver))
        receiver.receive(subscription: call)
        call.begin()
    }

    /// A call for one subscriber, which has not begun.
    func call(for subscriber: CallSubscriber) -> Call {
        Call(of: api, in: context, scope: .of(api, in: scope), for: subscriber)
    }

    /// A receiver that runs the check first, and inside the scope of the call, so that calls it starts belong there.
    private func checkedInScope(_ receiver: ResponseReceiver) -> ResponseReceiver {
        guard scope != nil || check != nil else { return receiver }
        return ResponseReceiver { [scope, check] event in
            let take = {
                if case .reply(let reply) = event { try check?(reply) }
                return try receiver.take(event)
            }
            return try scope?.run(take) ?? take()
        }
    }

    /// Reads a response that the running task has awaited, after the check, and inside the scope of the call.
    func read<Value>(_ reply: AwaitedResponse, _ transform: (CallResponse) throws -> Value) throws -> Value {
        let call = reply.call
        defer { call.hasBeenRead() }
        func read() throws -> Value {
            try check?(reply.response)
            return try transform(reply.response)
        }
        do {
            return try Delivery.run(of: call) { try scope?.run(read) ?? read() }
        } catch {
            throw error.without(call.secrets)
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

    /// Maps a response that the running task has awaited.
    @usableFromInline func value(of reply: AwaitedResponse) throws -> Output { try source.read(reply, transform) }

    /// Maps a response off the actor of the task, which waits meanwhile: nothing else uses the call or the value.
    @usableFromInline nonisolated(nonsending) func valueOffActor(of reply: AwaitedResponse) async throws -> Output {
        @concurrent func map(_ call: UncheckedSendable<MappedCall>) async throws -> UncheckedSendable<Output> {
            UncheckedSendable(try call.value.value(of: reply))
        }
        return try await map(UncheckedSendable(self)).value
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
