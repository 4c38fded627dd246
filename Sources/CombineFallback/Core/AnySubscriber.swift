/// A subscriber that hides the type of another.
public struct AnySubscriber<Input, Failure: Error>: Subscriber, Described {
    @usableFromInline typealias Completion = Subscribers.Completion<Failure>

    /// The hidden subscriber, in a closure that is compiled for its type.
    ///
    /// One of the three arguments is set. An enumeration of them would be copied by calls into the runtime.
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
            case .identify(let identity): identity.copy(from: subscriber)
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

    /// Creates a subscriber from closures. Without `receiveSubscription` it asks for nothing, without
    /// `receiveValue` for no more values.
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
            case .identify(let identity):
                (identity.identifier, identity.description) = (identifier, "Anonymous AnySubscriber")
            case nil: break
            }
            return .none
        }
    }

    /// The identifier of the hidden subscriber.
    public var combineIdentifier: CombineIdentifier { identity.identifier }

    /// `Anonymous AnySubscriber` for closures, otherwise the description of the hidden subscriber.
    public var description: String { identity.description }

    /// Passes the subscription on.
    @inlinable public func receive(subscription: any Subscription) {
        withUnsafePointer(to: subscription) { _ = send(nil, nil, .subscription($0)) }
    }

    /// Passes the value on.
    @inlinable public func receive(_ value: Input) -> Subscribers.Demand { send(value, nil, nil) }

    /// Passes the completion on.
    @inlinable public func receive(completion: Subscribers.Completion<Failure>) { _ = send(nil, completion, nil) }

    private var identity: ErasedIdentity { ErasedIdentity { _ = send(nil, nil, .identify($0)) } }
}

/// A message to a hidden subscriber that is neither a value nor a completion.
@usableFromInline enum Signal {
    /// A pointer that is valid during the call: the runtime would copy an existential in the case.
    case subscription(UnsafePointer<any Subscription>)
    case identify(ErasedIdentity)
}

extension Publisher {
    /// Attaches a subscriber as an `AnySubscriber`.
    ///
    /// The compiler specializes code for this one type. It does not for types that grow with each operator.
    @inlinable func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: AnySubscriber(subscriber))
    }
}
