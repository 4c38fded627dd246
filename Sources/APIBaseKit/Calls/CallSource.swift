/// A call that nothing but the kit has added to: what ``APIBase/startRequest()`` returns, behind its publisher.
///
/// What the kit makes of such a call takes the reply as it is. As soon as other operators stand in between, it gets what they give.
@usableFromInline final class CallSource {
    private let api: APIBase
    private let context: CallerContext
    private let scope: CallScope?
    /// The checks of the reply, the first one first.
    private let checks: [(CallReply) throws -> Void]

    /// A call that is started by the code that runs now.
    convenience init(of api: APIBase) {
        self.init(api, CallerContext(), CallScope.current, checks: [])
    }

    private init(
        _ api: APIBase,
        _ context: CallerContext,
        _ scope: CallScope?,
        checks: [(CallReply) throws -> Void]
    ) {
        self.api = api
        self.context = context
        self.scope = scope
        self.checks = checks
    }

    /// The same call with one more check of its reply.
    func checked(_ check: @escaping (CallReply) throws -> Void) -> CallSource {
        CallSource(api, context, scope, checks: checks + [check])
    }

    /// The call that a publisher stands for, if nothing else stands in between.
    @usableFromInline static func behind(
        _ publisher: AnyPublisher<APIBase.DataResponseTuple, any Error>
    ) -> CallSource? { publisher.madeOf as? CallSource }

    /// The call, as users see it.
    var publisher: AnyPublisher<APIBase.DataResponseTuple, any Error> { erased(madeOf: self) }

    /// Makes a call for one subscriber.
    @usableFromInline func start(_ receiver: ReplyReceiver) {
        let receiver = checkedInScope(receiver)
        let call = Call(of: api, in: context, scope: scope, for: .whole(receiver))
        receiver.receive(subscription: call)
        call.begin()
    }

    /// Runs `body` inside the scope of the call.
    func inScope<Value>(_ body: () throws -> Value) rethrows -> Value { try scope?.run(body) ?? body() }

    /// The receiver behind the checks, and inside the scope of the call: what it starts belongs there as well.
    private func checkedInScope(_ receiver: ReplyReceiver) -> ReplyReceiver {
        guard scope != nil || !checks.isEmpty else { return receiver }
        return ReplyReceiver { [scope, checks] event in
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
        start(.mapping(for: subscriber) { $0.tuple })
    }
}

/// What is made of the replies to a call.
@usableFromInline final class MappedCall<Output>: Publisher {
    @usableFromInline typealias Failure = any Error

    @usableFromInline let source: CallSource
    @usableFromInline let transform: (CallReply) throws -> Output

    @usableFromInline init(source: CallSource, _ transform: @escaping (CallReply) throws -> Output) {
        self.source = source
        self.transform = transform
    }

    /// What is made of a reply, inside the scope of the call.
    @usableFromInline func value(of reply: CallReply) throws -> Output {
        try source.inScope { try transform(reply) }
    }

    @inlinable func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        source.start(.mapping(for: subscriber, transform))
    }
}

extension ReplyReceiver {
    /// A subscriber of what is made of a reply.
    @inlinable static func mapping<S: Subscriber>(
        for subscriber: S,
        _ transform: @escaping (CallReply) throws -> S.Input
    ) -> ReplyReceiver where S.Failure == any Error {
        ReplyReceiver { event in
            switch event {
            case .reply(let reply): return subscriber.receive(try transform(reply))
            case .subscription(let subscription): subscriber.receive(subscription: subscription)
            case .completion(let completion): subscriber.receive(completion: completion)
            }
            return .none
        }
    }
}

extension AnyPublisher where Output == APIBase.DataResponseTuple, Failure == any Error {
    /// Makes something of the replies to a call.
    @inlinable func mapReplies<Value>(
        _ transform: @escaping (CallReply) throws -> Value
    ) -> AnyPublisher<Value, any Error> {
        guard let source = CallSource.behind(self) else {
            return tryMap { try transform(CallReply($0)) }.eraseToAnyPublisher()
        }
        let call = MappedCall(source: source, transform)
        return call.erased(madeOf: call)
    }

    /// Fails for replies that do not pass a check.
    func checkingReplies(
        _ check: @escaping (CallReply) throws -> Void
    ) -> AnyPublisher<APIBase.DataResponseTuple, any Error> {
        guard let source = CallSource.behind(self) else {
            return tryMap { reply in
                try check(CallReply(reply))
                return reply
            }
            .eraseToAnyPublisher()
        }
        return source.checked(check).publisher
    }
}
