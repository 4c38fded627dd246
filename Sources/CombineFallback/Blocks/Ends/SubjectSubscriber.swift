/// A subscriber that passes a publisher's events to a subject, to which it has a weak reference.
struct SubjectSubscriber<Target: Subject>: Subscriber, Subscription, CustomStringConvertible {
    struct State {
        weak var subject: Target?
        var upstream: (any Subscription)?
    }

    let state: IdentifiedLock<State?>

    init(_ subject: Target) { state = IdentifiedLock(State(subject: subject)) }

    var combineIdentifier: CombineIdentifier { state.identifier }
    var description: String { "Subject" }

    func receive(subscription: any Subscription) {
        let subject: Target? = state.withLock { state in
            guard let subject = state?.subject, state?.upstream == nil else { return nil }
            state?.upstream = subscription
            return subject
        }
        if let subject { subject.send(subscription: self) } else { subscription.cancel() }
    }

    func receive(_ input: Target.Output) -> Subscribers.Demand {
        state.withLock { $0?.subject }?.send(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Target.Failure>) { take()?.subject?.send(completion: completion) }

    func request(_ demand: Subscribers.Demand) { state.withLock { $0?.upstream }?.request(demand) }

    func cancel() { take()?.upstream?.cancel() }

    private func take() -> State? { state.withLock { $0.take() } }
}

extension Publisher {
    /// Delivers everything to `subject`, until the result is cancelled or released.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
        let target = SubjectSubscriber(subject)
        subscribe(target)
        return AnyCancellable(idempotent: target)
    }
}
