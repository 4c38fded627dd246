/// A subscriber that hides the type of the one it stands for.
public struct AnySubscriber<Input, Failure: Error>: Subscriber, Described {
    @usableFromInline typealias Completion = Subscribers.Completion<Failure>

    /// The hidden subscriber, in a closure that is compiled for its type.
    ///
    /// It takes one of three; each by itself, because an enumeration of them is copied by way of the runtime.
    @usableFromInline let send: (Input?, Completion?, Signal?) -> Subscribers.Demand

    /// Wraps `subscriber`.
    @inlinable public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        if S.self == AnySubscriber<Input, Failure>.self, let same = subscriber as? AnySubscriber<Input, Failure> {
            send = same.send
            return
        }
        send = { value, completion, signal in
            if let value { return subscriber.receive(value) }
            if let completion { subscriber.receive(completion: completion) }
            switch signal {
            case .subscription(let subscription): subscriber.receive(subscription: subscription.pointee)
            case .introduce(let introduction): introduction.take(subscriber)
            case nil: break
            }
            return .none
        }
    }

    /// Wraps `subject`: it is sent the subscription, the values and the completion.
    public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
        self.init(
            receiveSubscription: subject.send(subscription:),
            receiveValue: { value in
                subject.send(value)
                return .none
            },
            receiveCompletion: subject.send(completion:)
        )
    }

    /// Creates a subscriber from closures. A missing `receiveSubscription` asks for nothing; a missing `receiveValue`
    /// asks for no more.
    public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        let identifier = CombineIdentifier()
        send = { value, completion, signal in
            if let value { return receiveValue?(value) ?? .none }
            if let completion { receiveCompletion?(completion) }
            switch signal {
            case .subscription(let subscription): receiveSubscription?(subscription.pointee)
            case .introduce(let introduction):
                (introduction.identifier, introduction.description) = (identifier, "Anonymous AnySubscriber")
            case nil: break
            }
            return .none
        }
    }

    /// The identifier of the hidden subscriber.
    public var combineIdentifier: CombineIdentifier { introduction.identifier }

    /// `Anonymous AnySubscriber` for closures, otherwise what the hidden subscriber says of itself.
    public var description: String { introduction.description }

    /// Passes the subscription on.
    @inlinable public func receive(subscription: any Subscription) {
        withUnsafePointer(to: subscription) { _ = send(nil, nil, .subscription($0)) }
    }

    /// Passes the value on.
    @inlinable public func receive(_ value: Input) -> Subscribers.Demand { send(value, nil, nil) }

    /// Passes the completion on.
    @inlinable public func receive(completion: Subscribers.Completion<Failure>) { _ = send(nil, completion, nil) }

    private var introduction: Introduction { Introduction { _ = send(nil, nil, .introduce($0)) } }
}

/// A message to a hidden subscriber that is neither a value nor a completion.
@usableFromInline enum Signal {
    /// Behind a pointer, which lasts as long as the message: the runtime would copy what is wrapped in the case.
    case subscription(UnsafePointer<any Subscription>)
    case introduce(Introduction)
}

extension Publisher {
    /// Attaches a subscriber under the one type that all pipelines are compiled for.
    ///
    /// With types that grow from operator to operator the compiler gives up, and leaves the rest to the runtime.
    @inlinable func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: AnySubscriber(subscriber))
    }
}
