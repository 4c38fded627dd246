/// A subscriber that hides the type of the one it stands for.
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
    @usableFromInline let target: Target

    /// Wraps `subscriber`.
    @inlinable
    public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        target = (subscriber as? AnySubscriber<Input, Failure>)?.target ?? Erased(subscriber)
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
        target = Erased(
            Closures(
                receiveSubscription: receiveSubscription,
                receiveValue: receiveValue,
                receiveCompletion: receiveCompletion
            )
        )
    }

    /// The identifier of the hidden subscriber.
    public var combineIdentifier: CombineIdentifier { target.combineIdentifier }

    /// `Anonymous AnySubscriber` for closures, otherwise what the hidden subscriber says of itself.
    public var description: String { target.description }

    /// Passes the subscription on.
    @inlinable
    public func receive(subscription: any Subscription) { target.receive(subscription: subscription) }

    /// Passes the value on.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand { target.receive(value) }

    /// Passes the completion on.
    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) { target.receive(completion: completion) }

    struct Closures: Subscriber, CustomStringConvertible {
        let receiveSubscription: ((any Subscription) -> Void)?
        let receiveValue: ((Input) -> Subscribers.Demand)?
        let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        let combineIdentifier = CombineIdentifier()
        var description: String { "Anonymous AnySubscriber" }

        func receive(subscription: any Subscription) { receiveSubscription?(subscription) }
        func receive(_ input: Input) -> Subscribers.Demand { receiveValue?(input) ?? .none }
        func receive(completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }
    }
}

extension AnySubscriber {
    /// The hidden subscriber.
    @usableFromInline
    class Target {
        @inlinable
        init() {}

        @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
        @inlinable var description: String { "AnySubscriber" }
        @inlinable
        func receive(subscription: any Subscription) {}
        @inlinable
        func receive(_ input: Input) -> Subscribers.Demand { .none }
        @inlinable
        func receive(completion: Subscribers.Completion<Failure>) {}
    }

    @usableFromInline
    final class Erased<Base: Subscriber>: Target where Base.Input == Input, Base.Failure == Failure {
        @usableFromInline let base: Base

        @inlinable
        init(_ base: Base) { self.base = base }

        @inlinable override var combineIdentifier: CombineIdentifier { base.combineIdentifier }
        @inlinable override var description: String { String(describing: base) }
        @inlinable
        override func receive(subscription: any Subscription) { base.receive(subscription: subscription) }
        @inlinable
        override func receive(_ input: Input) -> Subscribers.Demand { base.receive(input) }
        @inlinable
        override func receive(completion: Subscribers.Completion<Failure>) { base.receive(completion: completion) }
    }
}
